/* Entry points of the compilers' thread instrumentation: does the runtime have all that a program
 * calls?  Reads both files; nothing is kept. */
#pragma once
#include <stddef.h>

/* 1 and the name of one that is missing; 0: none is, or one of the files cannot be read, which
 * shows when it is loaded. */
int dh_entry_missing(const char *program, const char *runtime, char *ret, size_t size);
