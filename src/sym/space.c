#include "sym/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

#define MAX_TEXT (256u << 20) /* more than a million mappings of the longest kind */

void dh_sym_space_release(struct dh_sym_space *m)
{
	dh_arena_release(&m->arena);
	free(m->all);
	*m = DH_SYM_SPACE_INIT;
}

static bool take_hex(const char **p, const char *end, uint64_t *ret)
{
	uint64_t v = 0;
	const char *q = *p;

	for (; q < end; q++) {
		int digit;

		if (*q >= '0' && *q <= '9')
			digit = *q - '0';
		else if (*q >= 'a' && *q <= 'f')
			digit = *q - 'a' + 10;
		else
			break;
		if (v >> 60)
			return false;
		v = v << 4 | (uint64_t)digit;
	}
	if (q == *p)
		return false;
	*p = q;
	*ret = v;
	return true;
}

static bool take_char(const char **p, const char *end, char c)
{
	if (*p == end || **p != c)
		return false;
	(*p)++;
	return true;
}

static bool take_decimal(const char **p, const char *end, uint64_t *ret)
{
	const char *start = *p;

	for (*ret = 0; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
		if (__builtin_mul_overflow(*ret, 10, ret) ||
			__builtin_add_overflow(*ret, (uint64_t)(**p - '0'), ret))
			return false;
	}
	return *p > start;
}

/* The kernel writes line breaks in names as "\\012", and escapes nothing else. */
static const char *unescape(struct dh_arena *arena, const char *p, size_t n)
{
	char *path = dh_arena_strndup(arena, p, n), *to = path;

	for (const char *from = path; *from; to++) {
		bool line_break = strncmp(from, "\\012", 4) == 0;

		*to = line_break ? '\n' : *from;
		from += line_break ? 4 : 1;
	}
	*to = '\0';
	return path;
}

/* "start-end rwxp offset major:minor inode   path" */
static bool parse_line(
	struct dh_sym_space *m, const char *p, const char *end, struct dh_sym_area *ret)
{
	uint64_t device;

	if (!take_hex(&p, end, &ret->start) || !take_char(&p, end, '-') ||
		!take_hex(&p, end, &ret->end) || !take_char(&p, end, ' ') || end - p < 5)
		return false;
	ret->read = p[0] == 'r';
	ret->write = p[1] == 'w';
	ret->exec = p[2] == 'x';
	ret->shared = p[3] == 's';
	p += 4;
	if (!take_char(&p, end, ' ') || !take_hex(&p, end, &ret->offset) ||
		!take_char(&p, end, ' ') || !take_hex(&p, end, &device) ||
		!take_char(&p, end, ':') || !take_hex(&p, end, &device) ||
		!take_char(&p, end, ' ') || !take_decimal(&p, end, &ret->inode))
		return false;
	while (take_char(&p, end, ' '))
		;
	ret->path = unescape(&m->arena, p, (size_t)(end - p));
	return ret->start < ret->end;
}

size_t dh_sym_space_parse(struct dh_sym_space *m, const char *text, size_t n)
{
	const char *end = text + n;
	size_t bad = 0;

	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text));
		struct dh_sym_area one = {0};

		eol = eol ? eol : end;
		if (parse_line(m, text, eol, &one) &&
			(!m->n || one.start >= m->all[m->n - 1].end)) {
			DH_GROW(m->all, m->n, m->cap);
			m->all[m->n++] = one;
		} else {
			bad++;
		}
		text = eol + (eol < end);
	}
	return bad;
}

int dh_sym_space_read(struct dh_sym_space *m, pid_t pid, struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	r = dh_read_file(path, MAX_TEXT, &text, err);
	if (r < 0)
		return r;
	dh_sym_space_parse(m, dh_buf_str(&text), text.len);
	return 0;
}

const struct dh_sym_area *dh_sym_space_find(const struct dh_sym_space *m, uint64_t addr)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (addr >= m->all[mid].end)
			low = mid + 1;
		else
			high = mid;
	}
	return low < m->n && addr >= m->all[low].start ? &m->all[low] : NULL;
}
