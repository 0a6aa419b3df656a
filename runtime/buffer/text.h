/* Private to this folder: strings, and the names of files that descriptors have. */
#pragma once
#include <asm/unistd.h>

#include "buffer.h"

#define FD_LINK   "/proc/self/fd/"
#define LINK_SIZE 32

static inline uint64_t length(const char *s)
{
	uint64_t n = 0;

	while (s[n])
		n++;
	return n;
}

static inline bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static inline bool begins(const char *s, const char *with)
{
	while (*with && *s == *with) {
		s++;
		with++;
	}
	return !*with;
}

static inline void copy(char *to, const char *from, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		to[i] = from[i];
}

static inline void fd_link(char ret[LINK_SIZE], uint32_t fd)
{
	char digits[12];
	uint64_t n = 0, at = sizeof(FD_LINK) - 1;

	copy(ret, FD_LINK, at);
	do {
		digits[n++] = (char)('0' + fd % 10);
		fd /= 10;
	} while (fd);
	while (n)
		ret[at++] = digits[--n];
	ret[at] = '\0';
}

/* The text of a link; false when there is none, or it is too long. */
static inline bool read_link(const char *link, char ret[DH_NOTE_PATH])
{
	long n = dh_raw3(__NR_readlink, link, ret, DH_NOTE_PATH);

	if (n < 0 || n >= DH_NOTE_PATH)
		return false;
	ret[n] = '\0';
	return true;
}

static inline bool path_of(uint32_t fd, char ret[DH_NOTE_PATH])
{
	char link[LINK_SIZE];

	fd_link(link, fd);
	return read_link(link, ret);
}
