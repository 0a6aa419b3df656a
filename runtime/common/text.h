/* Text into fixed buffers, without stdio: always ended by a zero byte, cut when it is too long. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct rt_text {
	char *at;
	size_t size, used;
};

void rt_text_init(struct rt_text *t, char *buffer, size_t size);
void rt_text_add(struct rt_text *t, const char *words);
void rt_text_add_number(struct rt_text *t, uint64_t n);
void rt_text_add_hex(struct rt_text *t, uint64_t n);
/* The number at *p in decimal digits, which is moved behind it; -1 when there is none. */
int64_t rt_text_number(const char **p);
/* Copies at most size - 1 bytes. */
void rt_text_copy(char *to, size_t size, const char *from);
