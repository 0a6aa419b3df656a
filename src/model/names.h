/* Enums with stable names: one table each, searched by one function. */
#pragma once
#include "base/forward.h"

/* The index of name in the NULL-terminated table, or -1 (also for NULL). */
int dh_names_find(const char *const *names, const char *name);
