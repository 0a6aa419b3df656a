#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void dh_buf_release(struct dh_buf *b)
{
	free(b->data);
	*b = DH_BUF_INIT;
}

void dh_buf_clear(struct dh_buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void *dh_buf_reserve(struct dh_buf *b, size_t n)
{
	size_t want;

	if (__builtin_add_overflow(b->len, n + 1, &want))
		want = SIZE_MAX; /* dh_realloc says no */
	if (want > b->cap) {
		b->cap = DH_MAX(want, b->cap * 2);
		b->cap = DH_MAX(b->cap, (size_t)64);
		b->data = dh_realloc(b->data, b->cap);
	}
	return b->data + b->len;
}

void dh_buf_add(struct dh_buf *b, const void *p, size_t n)
{
	char *to = dh_buf_reserve(b, n);

	if (n)
		memcpy(to, p, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void dh_buf_addc(struct dh_buf *b, char c)
{
	dh_buf_add(b, &c, 1);
}

void dh_buf_adds(struct dh_buf *b, const char *s)
{
	dh_buf_add(b, s, strlen(s));
}

void dh_buf_vaddf(struct dh_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	vsnprintf(dh_buf_reserve(b, (size_t)n), (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void dh_buf_addf(struct dh_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	dh_buf_vaddf(b, fmt, ap);
	va_end(ap);
}

const char *dh_buf_str(const struct dh_buf *b)
{
	return b->data ? b->data : "";
}

char *dh_buf_steal(struct dh_buf *b)
{
	char *s = b->data ? b->data : dh_strdup("");

	*b = DH_BUF_INIT;
	return s;
}
