/* UTF-8 as far as reports need it. */
#pragma once
#include "base/forward.h"

/* Length of the valid sequence at s (1 to 4), or 0 when it is not valid. */
size_t dh_utf8_len(const char *s, size_t n);
/* Terminal columns of a string (invalid bytes count one). */
size_t dh_utf8_width(const char *s);
