/* A growing byte buffer, also used to build strings (always NUL-terminated behind len). */
#pragma once
#include "base/forward.h"

#include <stdarg.h>

struct dh_buf {
	char *data; /* NULL until the first byte */
	size_t len, cap;
};

#define DH_BUF_INIT ((struct dh_buf){0})

void dh_buf_release(struct dh_buf *b);
void dh_buf_clear(struct dh_buf *b); /* keeps the memory */
/* Makes room for n more bytes and returns where they go; the caller adds to len. */
void *dh_buf_reserve(struct dh_buf *b, size_t n);
void dh_buf_add(struct dh_buf *b, const void *p, size_t n);
void dh_buf_addc(struct dh_buf *b, char c);
void dh_buf_adds(struct dh_buf *b, const char *s);
void dh_buf_addf(struct dh_buf *b, const char *fmt, ...) DH_PRINTF(2, 3);
void dh_buf_vaddf(struct dh_buf *b, const char *fmt, va_list ap) DH_PRINTF(2, 0);
/* "" when nothing was added. */
const char *dh_buf_str(const struct dh_buf *b);
/* Hands the string to the caller (free()), the buffer is empty again. */
char *dh_buf_steal(struct dh_buf *b);

#define DH_BUF DH_CLEANUP(dh_buf_release)
