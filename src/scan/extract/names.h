/* Names of C++ functions as a table can list them. */
#pragma once
#include "base/forward.h"

/* "void std::lock_guard<std::mutex>::lock_guard(std::mutex&)" is "std::lock_guard::lock_guard": no
 * result, no parameters, no template arguments, no inline namespaces of the standard library.
 * The caller frees it. */
char *dh_scan_short_name(const char *demangled);
