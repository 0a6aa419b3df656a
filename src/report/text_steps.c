/* Text for people: the timeline, oldest step first. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "report/text.h"

#define MAX_COLUMNS 4
#define MIN_COLUMN  30
#define MAX_STEPS   200

struct lanes {
	const char *name[MAX_COLUMNS];
	size_t n; /* MAX_COLUMNS + 1: too many */
};

static size_t lane_of(const struct lanes *lanes, const char *name)
{
	size_t i = 0;

	while (i < lanes->n && strcmp(lanes->name[i], name) != 0)
		i++;
	return i;
}

static void find_lanes(const struct dh_finding *f, struct lanes *ret)
{
	ret->n = 0;
	for (size_t i = 0; i < f->n_steps; i++) {
		const char *name = f->steps[i].lane ? f->steps[i].lane : "?";

		if (lane_of(ret, name) < ret->n)
			continue;
		if (ret->n == MAX_COLUMNS) {
			ret->n = MAX_COLUMNS + 1;
			return;
		}
		ret->name[ret->n++] = name;
	}
}

/* The place is left out where it does not fit; a label that does not fit is cut. */
static void put_step(
	const struct dh_report *r, const struct dh_step *s, struct dh_layout *l, size_t room)
{
	enum dh_style style = s->kind == DH_STEP_FAILURE ? DH_STYLE_ALERT
			      : s->site >= 0             ? DH_STYLE_BOLD
							 : DH_STYLE_NONE;
	DH_BUF struct dh_buf label = DH_BUF_INIT, place = DH_BUF_INIT;
	size_t width;

	dh_buf_adds(&label, s->site >= 0 ? "* " : "");
	dh_words_plain(&label, s->label ? s->label : dh_step_kind_name(s->kind));
	width = dh_utf8_width(dh_buf_str(&label));
	if (width > room) {
		dh_layout_clip(l, style, dh_buf_str(&label), room);
		return;
	}
	dh_layout_put(l, style, dh_buf_str(&label));
	if (!s->file)
		return;
	dh_buf_adds(&place, "  ");
	dh_words_plain(&place, dh_report_path(r, s->file));
	if (s->line)
		dh_buf_addf(&place, ":%" PRIu32, s->line);
	if (dh_utf8_width(dh_buf_str(&place)) <= room - width)
		dh_layout_put(l, DH_STYLE_DIM, dh_buf_str(&place));
}

static void add_columns(const struct dh_report *r, const struct dh_finding *f,
	const struct lanes *lanes, struct dh_layout *l)
{
	size_t column = (l->width - 6) / lanes->n;

	for (size_t i = 0; i < lanes->n; i++) {
		dh_layout_tab(l, 6 + i * column);
		dh_layout_clip(l, DH_STYLE_CYAN, lanes->name[i], column - 2);
	}
	dh_layout_cut(l);
	for (size_t i = 0; i < f->n_steps && i < MAX_STEPS; i++) {
		const struct dh_step *s = &f->steps[i];

		dh_layout_putf(l, DH_STYLE_DIM, "%4zu", i + 1);
		dh_layout_tab(l, 6 + lane_of(lanes, s->lane ? s->lane : "?") * column);
		put_step(r, s, l, column - 2);
		dh_layout_cut(l);
	}
}

static void add_list(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l)
{
	for (size_t i = 0; i < f->n_steps && i < MAX_STEPS; i++) {
		const struct dh_step *s = &f->steps[i];

		dh_layout_putf(l, DH_STYLE_DIM, "%4zu  ", i + 1);
		dh_layout_put(l, DH_STYLE_CYAN, s->lane ? s->lane : "?");
		dh_layout_put(l, DH_STYLE_NONE, ": ");
		put_step(r, s, l, SIZE_MAX);
		dh_layout_wrap(l, 8);
	}
}

void dh_text_steps(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l)
{
	bool fails = f->failure.what;
	struct lanes lanes;

	if (!f->n_steps)
		return;
	dh_layout_put(l, fails ? DH_STYLE_ALERT : DH_STYLE_BOLD,
		fails ? "The order that fails" : "What happens");
	dh_layout_wrap(l, 0);
	find_lanes(f, &lanes);
	if (lanes.n <= MAX_COLUMNS && l->width >= 6 + lanes.n * MIN_COLUMN)
		add_columns(r, f, &lanes, l);
	else
		add_list(r, f, l);
	if (f->n_steps > MAX_STEPS) {
		dh_layout_putf(l, DH_STYLE_DIM, "  ... %zu more steps", f->n_steps - MAX_STEPS);
		dh_layout_wrap(l, 2);
	}
	dh_layout_wrap(l, 0);
}
