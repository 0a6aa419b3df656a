/* Fingerprints: the same bug has the same fingerprint over runs, builds, machines and origins.
 *
 * What goes in: the kind; the variable; and for every site the function and the base name of its
 * file, as a sorted set, so that neither the order of the sides nor a second copy of the same side
 * counts.  A site without symbols is its module's base name and offset.
 * When the variable is not known, more is needed to tell bugs apart: the object, and for every site
 * the access, its size, the text of the source line and the three callers' functions.
 * Deadlocks and misused locks add the names of the locks.
 *
 * What stays out: line numbers and columns, directories, addresses, process and thread ids, array
 * subscripts, compiler-made suffixes of function names, parameter lists, white space of source
 * lines.  So two unordered pairs on one variable between the same two functions are one bug, which
 * is also how a person would mend them. */
#include "model/finding.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"

#define VERSION "deadheat-fingerprint/1"
/* Bump VERSION with any change here: stores then keep both, rather than confuse them. */
#define CALLERS 3
/* Shorter hex numbers are offsets inside an object, which tell fields apart. */
#define ADDRESS_DIGITS 6

static bool ident_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Length of "0x" and its digits at s, when it is long enough to be an address. */
static size_t address_len(const char *s)
{
	size_t n = 2;

	if (s[0] != '0' || s[1] != 'x')
		return 0;
	while (isxdigit((unsigned char)s[n]))
		n++;
	return n - 2 >= ADDRESS_DIGITS ? n : 0;
}

static void add_variable(struct dh_buf *b, const char *s)
{
	while (*s) {
		size_t skip = address_len(s);

		if (skip) {
			dh_buf_addc(b, '#');
			s += skip;
		} else if (*s == '[' && isdigit((unsigned char)s[1])) {
			dh_buf_adds(b, "[#");
			s += 1 + strspn(s + 1, "0123456789");
		} else {
			dh_buf_addc(b, *s++);
		}
	}
}

/* Objects are descriptions or paths: every number may be a pid, an address, a line. */
static void add_object(struct dh_buf *b, const char *s)
{
	char before = ' ';

	while (*s) {
		size_t path = *s == '/' && !ident_char(before) ? strcspn(s, " \t,;:\"'") : 0;
		const char *base = s;

		for (size_t i = 0; i + 1 < path; i++) {
			if (s[i] == '/')
				base = s + i + 1;
		}
		s = base;
		before = *s;
		if (s[0] == '0' && s[1] == 'x' && isxdigit((unsigned char)s[2])) {
			dh_buf_addc(b, '#');
			for (s += 2; isxdigit((unsigned char)*s); s++)
				;
		} else if (isdigit((unsigned char)*s)) {
			dh_buf_addc(b, '#');
			s += strspn(s, "0123456789");
		} else {
			dh_buf_addc(b, *s++);
		}
	}
}

/* Where a C++ parameter list begins: the parenthesis that matches the last closing one, unless
 * that one is part of the name, as in "(anonymous namespace)::f". */
static size_t parameters_at(const char *s, size_t n)
{
	size_t end = n, depth = 0;

	while (end && s[end - 1] != ')')
		end--;
	if (!end || (s[end] && !strchr(" &[", s[end])))
		return n;
	for (size_t i = end; i-- > 0;) {
		depth += s[i] == ')';
		if (s[i] == '(' && --depth == 0)
			return i ? i : n;
	}
	return n;
}

static void add_function(struct dh_buf *b, const char *s)
{
	size_t n = strlen(s);
	const char *dot = n ? memchr(s + 1, '.', n - 1) : NULL;

	n = parameters_at(s, n);
	/* ".isra.0", ".part.1", ".constprop.0", ".cold", ".lto_priv.0": copies of one function. */
	if (dot && (size_t)(dot - s) < n)
		n = (size_t)(dot - s);
	dh_buf_add(b, s, n);
}

static void add_text(struct dh_buf *b, const char *s)
{
	for (; *s; s++) {
		if (!isspace((unsigned char)*s))
			dh_buf_addc(b, *s);
	}
}

static void add_place(struct dh_buf *b, const struct dh_frame *at)
{
	if (at->function)
		add_function(b, at->function);
	dh_buf_addc(b, '\t');
	if (at->file)
		dh_buf_adds(b, dh_path_base(at->file));
	if (at->function || at->file)
		return;
	dh_buf_addf(b, "\t%s+%llx", at->module ? dh_path_base(at->module) : "",
		(unsigned long long)at->offset);
}

static void add_callers(struct dh_buf *b, const struct dh_site *s)
{
	size_t from = 0;

	/* Some stacks begin with the site itself, some with its caller. */
	if (s->stack.n && s->at.function && s->stack.frames[0].function &&
		strcmp(s->stack.frames[0].function, s->at.function) == 0)
		from = 1;
	for (size_t i = from; i < s->stack.n && i < from + CALLERS; i++) {
		dh_buf_addc(b, '\t');
		if (s->stack.frames[i].function)
			add_function(b, s->stack.frames[i].function);
	}
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_locks(struct dh_buf *b, const struct dh_site *s)
{
	DH_FREE const char **sorted = NULL;

	if (!s->n_locks)
		return;
	sorted = dh_memdup(s->locks, s->n_locks * sizeof(*sorted));
	qsort(sorted, s->n_locks, sizeof(*sorted), compare_strings);
	for (size_t i = 0; i < s->n_locks; i++) {
		dh_buf_addc(b, '\t');
		add_variable(b, sorted[i]);
	}
}

static char *site_key(const struct dh_finding *f, const struct dh_site *s)
{
	struct dh_buf b = DH_BUF_INIT;

	add_place(&b, &s->at);
	if (!f->variable) {
		bool reads = s->access.kind == DH_ACCESS_READ || s->access.kind == DH_ACCESS_NONE;

		dh_buf_addf(&b, "\t%c%u\t", reads ? 'r' : 'w', s->access.size);
		if (s->text)
			add_text(&b, s->text);
		add_callers(&b, s);
	}
	if (f->kind == DH_KIND_DEADLOCK || f->kind == DH_KIND_LOCK_MISUSE)
		add_locks(&b, s);
	return dh_buf_steal(&b);
}

static void add_sites(struct dh_buf *b, const struct dh_finding *f)
{
	char **keys = dh_new_n(char *, f->n_sites);
	size_t n = 0;

	for (size_t i = 0; i < f->n_sites; i++)
		if (f->kind != DH_KIND_DEADLOCK || !dh_site_is_held(&f->sites[i]))
			keys[n++] = site_key(f, &f->sites[i]);
	qsort(keys, n, sizeof(*keys), compare_strings);
	for (size_t i = 0; i < n; i++) {
		if (i && strcmp(keys[i], keys[i - 1]) == 0)
			continue;
		dh_buf_addc(b, '\n');
		dh_buf_adds(b, keys[i]);
	}
	for (size_t i = 0; i < n; i++)
		free(keys[i]);
	free(keys);
}

void dh_finding_seal(struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	XXH128_hash_t h;

	dh_buf_addf(&b, VERSION "\n%s\n", dh_kind_name(f->kind));
	if (f->variable)
		add_variable(&b, f->variable);
	else if (f->object)
		add_object(&b, f->object);
	else if (!f->n_sites && f->title)
		add_object(&b, f->title);
	if (f->n_sites)
		add_sites(&b, f);
	h = XXH3_128bits(b.data, b.len);
	snprintf(f->fingerprint, sizeof(f->fingerprint), "%016llx%016llx",
		(unsigned long long)h.high64, (unsigned long long)h.low64);
	dh_finding_name(f);
}

void dh_finding_name(struct dh_finding *f)
{
	/* Any prefix of the fingerprint names a finding; twelve digits are enough for millions. */
	snprintf(f->id, sizeof(f->id), "%.12s", f->fingerprint);
}
