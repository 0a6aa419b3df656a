#include "fuzz/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

#define MAX_LINE 100

struct line {
	const char *at;
	size_t n;
};

struct lines {
	struct line *items;
	size_t n, cap;
};

static struct lines split(const char *text, size_t n)
{
	const char *end = text + n;
	struct lines l = {0};

	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((nl ? nl : end) - text);

		DH_GROW(l.items, l.n, l.cap);
		l.items[l.n++] = (struct line){text, len};
		text += len + (nl != NULL);
	}
	return l;
}

static bool same(const struct line *a, const struct line *b)
{
	return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

static void add_line(struct dh_buf *out, char sign, const struct line *l)
{
	size_t n = DH_MIN(l->n, MAX_LINE);

	dh_buf_addc(out, sign);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)l->at[i];

		dh_buf_addc(out, c == '\t' ? ' ' : c < ' ' || c == 127 ? '?' : (char)c);
	}
	dh_buf_adds(out, n < l->n ? "...\n" : "\n");
}

static void add_part(
	struct dh_buf *out, char sign, const struct lines *l, size_t from, size_t to, size_t max)
{
	for (size_t i = from; i < to && i < from + max; i++)
		add_line(out, sign, &l->items[i]);
	if (to > from + max)
		dh_buf_addf(out, "%c(%zu more lines)\n", sign, to - from - max);
}

void dh_output_diff(const char *was, size_t n_was, const char *is, size_t n_is, size_t max_lines,
	struct dh_buf *ret)
{
	struct lines a = split(was, n_was), b = split(is, n_is);
	size_t head = 0, tail = 0;

	while (head < a.n && head < b.n && same(&a.items[head], &b.items[head]))
		head++;
	while (tail < a.n - head && tail < b.n - head &&
		same(&a.items[a.n - 1 - tail], &b.items[b.n - 1 - tail]))
		tail++;
	if (head + tail < a.n || head + tail < b.n) {
		dh_buf_addf(ret, "line %zu:\n", head + 1);
		add_part(ret, '-', &a, head, a.n - tail, max_lines);
		add_part(ret, '+', &b, head, b.n - tail, max_lines);
	} else if (n_was != n_is) {
		dh_buf_adds(ret, "only the newline at the end differs\n");
	}
	free(a.items);
	free(b.items);
}
