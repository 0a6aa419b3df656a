#include "sym/line.h"

#include <elfutils/libdw.h>
#include <string.h>

#include "sym/session.h"

struct search {
	const char *file;
	uint32_t line;
	struct dh_sym_range *ret;
	size_t n, max;
};

/* One is the other, or its last components. */
static bool same_file(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	while (a[0] == '.' && a[1] == '/')
		a += 2, n -= 2;
	while (b[0] == '.' && b[1] == '/')
		b += 2, m -= 2;
	if (n > m)
		return same_file(b, a);
	return n && strcmp(b + m - n, a) == 0 && (n == m || b[m - n - 1] == '/');
}

static bool matches(const struct search *s, Dwarf_Line *l)
{
	const char *name = dwarf_linesrc(l, NULL, NULL);
	int line;

	return name && dwarf_lineno(l, &line) == 0 && line == (int)s->line &&
	       same_file(s->file, name);
}

static void look_in(struct search *s, Dwarf_Die *unit, Dwarf_Addr bias)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n) < 0)
		return;
	for (size_t i = 0; i + 1 < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
		Dwarf_Addr start, end;
		bool last = false;

		if (!l || !next || !matches(s, l) || dwarf_lineendsequence(l, &last) < 0 || last)
			continue;
		if (dwarf_lineaddr(l, &start) < 0 || dwarf_lineaddr(next, &end) < 0 || end <= start)
			continue;
		if (s->n < s->max)
			s->ret[s->n] = (struct dh_sym_range){start + bias, end + bias};
		s->n++;
	}
}

size_t dh_sym_line(
	struct dh_sym *s, const char *file, uint32_t line, struct dh_sym_range *ret, size_t max)
{
	struct search search = {.file = file, .line = line, .ret = ret, .max = max};

	for (size_t i = 0; line && i < s->n; i++) {
		Dwarf_Die *unit = NULL;
		Dwarf_Addr bias;

		while (s->entries[i].dwfl &&
			(unit = dwfl_module_nextcu(s->entries[i].dwfl, unit, &bias)))
			look_in(&search, unit, bias);
	}
	return search.n;
}
