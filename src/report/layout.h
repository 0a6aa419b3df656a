/* Text in columns for a terminal: lines made of styled spans, wrapped or cut to a width, and two
 * layouts set side by side.  Span text is made harmless here (dh_words_plain), so no byte of a
 * finding reaches the terminal as a command.  Owns its lines. */
#pragma once
#include "base/buf.h"

enum dh_style {
	DH_STYLE_NONE,
	DH_STYLE_BOLD,
	DH_STYLE_DIM,
	DH_STYLE_RED,
	DH_STYLE_GREEN,
	DH_STYLE_YELLOW,
	DH_STYLE_BLUE,
	DH_STYLE_MAGENTA,
	DH_STYLE_CYAN,
	DH_STYLE_ALERT, /* bold red */
	DH_STYLE_COUNT,
};

struct dh_cell {
	char bytes[4]; /* one character of UTF-8 */
	uint8_t len;
	uint8_t style;
};

struct dh_layout_line {
	char *text; /* with the colours in it */
	size_t width;
};

struct dh_layout {
	size_t width;
	bool color, unicode;
	struct dh_cell *cells; /* the line that is being built */
	size_t n_cells, cap_cells;
	struct dh_layout_line *lines;
	size_t n, cap;
};

void dh_layout_init(struct dh_layout *l, size_t width, bool color, bool unicode);
void dh_layout_release(struct dh_layout *l);

/* Adds to the line that is being built. */
void dh_layout_put(struct dh_layout *l, enum dh_style style, const char *s);
void dh_layout_putn(struct dh_layout *l, enum dh_style style, const char *s, size_t n);
void dh_layout_putf(struct dh_layout *l, enum dh_style style, const char *fmt, ...) DH_PRINTF(3, 4);
/* At most room columns of s, with the mark of a cut when that is not all. */
void dh_layout_clip(struct dh_layout *l, enum dh_style style, const char *s, size_t room);
/* Blanks up to the column. */
void dh_layout_tab(struct dh_layout *l, size_t column);
/* Ends the line; what does not fit goes on below, indented by hang. */
void dh_layout_wrap(struct dh_layout *l, size_t hang);
/* Ends the line; what does not fit is cut, with a mark that says so. */
void dh_layout_cut(struct dh_layout *l);
/* Both sides, line by line, with a rule between them; each keeps its own width. */
void dh_layout_beside(
	struct dh_layout *l, const struct dh_layout *left, const struct dh_layout *right);
/* Appends all lines. */
void dh_layout_write(const struct dh_layout *l, struct dh_buf *out);
