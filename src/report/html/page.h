/* The HTML page without its findings, in three pieces: embed.py makes them at build time out of the
 * files in this folder.  The index goes between head and middle, the details between middle and
 * tail. */
#pragma once
#include <stddef.h>

extern const char dh_html_head[], dh_html_middle[], dh_html_tail[];
extern const size_t dh_html_head_len, dh_html_middle_len, dh_html_tail_len;
