/* File names as reports show them: absolute ones without detours, relative to the folder that the
 * scan was started in when they are below it. */
#pragma once
#include "base/forward.h"

/* name, taken from dir unless it is absolute, without "." and "..", relative to root (absolute, or
 * NULL) when it is below.  The caller frees it. */
char *dh_scan_path(const char *dir, const char *name, const char *root);
