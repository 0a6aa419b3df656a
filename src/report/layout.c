#include "report/layout.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "report/internal.h"

static const char *const codes[DH_STYLE_COUNT] = {
	[DH_STYLE_NONE] = "\033[0m",
	[DH_STYLE_BOLD] = "\033[0;1m",
	[DH_STYLE_DIM] = "\033[0;2m",
	[DH_STYLE_RED] = "\033[0;31m",
	[DH_STYLE_GREEN] = "\033[0;32m",
	[DH_STYLE_YELLOW] = "\033[0;33m",
	[DH_STYLE_BLUE] = "\033[0;34m",
	[DH_STYLE_MAGENTA] = "\033[0;35m",
	[DH_STYLE_CYAN] = "\033[0;36m",
	[DH_STYLE_ALERT] = "\033[0;1;31m",
};

void dh_layout_init(struct dh_layout *l, size_t width, bool color, bool unicode)
{
	*l = (struct dh_layout){.width = width, .color = color, .unicode = unicode};
}

void dh_layout_release(struct dh_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->lines[i].text);
	free(l->lines);
	free(l->cells);
	*l = (struct dh_layout){0};
}

void dh_layout_putn(struct dh_layout *l, enum dh_style style, const char *s, size_t n)
{
	DH_BUF struct dh_buf plain = DH_BUF_INIT;
	const char *p, *end;

	dh_words_plainn(&plain, s, n);
	p = dh_buf_str(&plain);
	end = p + plain.len;
	while (p < end) {
		size_t len = dh_utf8_len(p, (size_t)(end - p));
		struct dh_cell cell = {.len = (uint8_t)len, .style = (uint8_t)style};

		memcpy(cell.bytes, p, len);
		DH_GROW(l->cells, l->n_cells, l->cap_cells);
		l->cells[l->n_cells++] = cell;
		p += len;
	}
}

void dh_layout_put(struct dh_layout *l, enum dh_style style, const char *s)
{
	dh_layout_putn(l, style, s, strlen(s));
}

void dh_layout_putf(struct dh_layout *l, enum dh_style style, const char *fmt, ...)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	dh_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	dh_layout_putn(l, style, dh_buf_str(&b), b.len);
}

void dh_layout_tab(struct dh_layout *l, size_t column)
{
	while (l->n_cells < column)
		dh_layout_putn(l, DH_STYLE_NONE, " ", 1);
}

/* One output line out of cells[0..n), after indent blanks. */
static void emit(struct dh_layout *l, const struct dh_cell *cells, size_t n, size_t indent)
{
	struct dh_buf b = DH_BUF_INIT;
	uint8_t style = DH_STYLE_NONE;

	while (n && cells[n - 1].bytes[0] == ' ')
		n--;
	for (size_t i = 0; n && i < indent; i++)
		dh_buf_addc(&b, ' ');
	for (size_t i = 0; i < n; i++) {
		if (l->color && cells[i].style != style)
			dh_buf_adds(&b, codes[style = cells[i].style]);
		dh_buf_add(&b, cells[i].bytes, cells[i].len);
	}
	if (style != DH_STYLE_NONE)
		dh_buf_adds(&b, codes[DH_STYLE_NONE]);
	DH_GROW(l->lines, l->n, l->cap);
	l->lines[l->n].width = n ? n + indent : 0;
	l->lines[l->n++].text = b.data ? dh_buf_steal(&b) : dh_strdup("");
}

/* How many of the cells go on this line: up to the last blank that fits, else all that fit. */
static size_t break_at(const struct dh_cell *cells, size_t n, size_t room)
{
	if (n <= room)
		return n;
	for (size_t i = room; i > room / 2; i--)
		if (cells[i].bytes[0] == ' ')
			return i;
	return room;
}

void dh_layout_wrap(struct dh_layout *l, size_t hang)
{
	const struct dh_cell *at = l->cells;
	size_t left = l->n_cells, indent = 0;

	do {
		size_t room = l->width > indent + 8 ? l->width - indent : 8;
		size_t n = break_at(at, left, room);

		emit(l, at, n, indent);
		at += n;
		left -= n;
		while (left && at->bytes[0] == ' ') {
			at++;
			left--;
		}
		indent = hang;
	} while (left);
	l->n_cells = 0;
}

static void cut_to(struct dh_layout *l, size_t column)
{
	struct dh_cell mark = {.bytes = ">", .len = 1, .style = DH_STYLE_DIM};

	if (l->n_cells <= column || !column)
		return;
	if (l->unicode) {
		memcpy(mark.bytes, "\xe2\x80\xa6", 3);
		mark.len = 3;
	}
	l->n_cells = column;
	l->cells[column - 1] = mark;
}

void dh_layout_clip(struct dh_layout *l, enum dh_style style, const char *s, size_t room)
{
	size_t start = l->n_cells;

	dh_layout_put(l, style, s);
	cut_to(l, start + room);
}

void dh_layout_cut(struct dh_layout *l)
{
	cut_to(l, l->width);
	emit(l, l->cells, l->n_cells, 0);
	l->n_cells = 0;
}

/* The colours of a finished line are kept as they are: it was made harmless when it was put. */
static void beside_line(
	struct dh_layout *l, const struct dh_layout *left, const struct dh_layout *right, size_t i)
{
	struct dh_buf b = DH_BUF_INIT;
	size_t width = 0;

	if (i < left->n) {
		dh_buf_adds(&b, left->lines[i].text);
		width = left->lines[i].width;
	}
	for (; width < left->width; width++)
		dh_buf_addc(&b, ' ');
	dh_buf_addf(&b, " %s%s%s", l->color ? codes[DH_STYLE_DIM] : "",
		l->unicode ? "\xe2\x94\x82" : "|", l->color ? codes[DH_STYLE_NONE] : "");
	width += 2;
	if (i < right->n && right->lines[i].width) {
		dh_buf_addc(&b, ' ');
		dh_buf_adds(&b, right->lines[i].text);
		width += 1 + right->lines[i].width;
	}
	DH_GROW(l->lines, l->n, l->cap);
	l->lines[l->n].width = width;
	l->lines[l->n++].text = dh_buf_steal(&b);
}

void dh_layout_beside(
	struct dh_layout *l, const struct dh_layout *left, const struct dh_layout *right)
{
	for (size_t i = 0; i < DH_MAX(left->n, right->n); i++)
		beside_line(l, left, right, i);
}

void dh_layout_write(const struct dh_layout *l, struct dh_buf *out)
{
	for (size_t i = 0; i < l->n; i++) {
		dh_buf_adds(out, l->lines[i].text);
		dh_buf_addc(out, '\n');
	}
}
