#include "base/utf8.h"

#include <string.h>

static bool cont(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

size_t dh_utf8_len(const char *str, size_t n)
{
	const unsigned char *s = (const unsigned char *)str;

	if (!n)
		return 0;
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf && n >= 2 && cont(s[1]))
		return 2;
	if ((s[0] & 0xf0) == 0xe0 && n >= 3 && cont(s[1]) && cont(s[2])) {
		if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f))
			return 0; /* overlong, or a surrogate */
		return 3;
	}
	if (s[0] >= 0xf0 && s[0] <= 0xf4 && n >= 4 && cont(s[1]) && cont(s[2]) && cont(s[3])) {
		if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
			return 0;
		return 4;
	}
	return 0;
}

size_t dh_utf8_width(const char *s)
{
	size_t width = 0, n = strlen(s);

	while (n) {
		size_t len = dh_utf8_len(s, n);

		len = len ? len : 1;
		width++;
		s += len;
		n -= len;
	}
	return width;
}
