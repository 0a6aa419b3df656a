#include "common/text.h"

void rt_text_init(struct rt_text *t, char *buffer, size_t size)
{
	t->at = buffer;
	t->size = size;
	t->used = 0;
	if (size > 0)
		buffer[0] = 0;
}

static void add_byte(struct rt_text *t, char c)
{
	if (t->used + 1 >= t->size)
		return;
	t->at[t->used++] = c;
	t->at[t->used] = 0;
}

void rt_text_add(struct rt_text *t, const char *words)
{
	for (; words && *words; words++)
		add_byte(t, *words);
}

static void add_in_base(struct rt_text *t, uint64_t n, unsigned base)
{
	char digits[24];
	unsigned i = 0;

	do {
		digits[i++] = "0123456789abcdef"[n % base];
		n /= base;
	} while (n > 0);
	while (i > 0)
		add_byte(t, digits[--i]);
}

void rt_text_add_number(struct rt_text *t, uint64_t n)
{
	add_in_base(t, n, 10);
}

void rt_text_add_hex(struct rt_text *t, uint64_t n)
{
	rt_text_add(t, "0x");
	add_in_base(t, n, 16);
}

int64_t rt_text_number(const char **p)
{
	int64_t n = 0;

	if (**p < '0' || **p > '9')
		return -1;
	for (; **p >= '0' && **p <= '9' && n < INT32_MAX; (*p)++)
		n = n * 10 + (**p - '0');
	return n;
}

void rt_text_copy(char *to, size_t size, const char *from)
{
	struct rt_text t;

	rt_text_init(&t, to, size);
	rt_text_add(&t, from);
}
