/* The function that a program would have called without this library. */
#pragma once
#include <dlfcn.h>

/* NULL when there is none. */
static inline void *dh_next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}
