#include "base/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"

static struct {
	const char *what;
	uint64_t total;
	uint64_t done;
	double began, drawn, changed; /* changed: when `done` did last */
	bool on, visible;
} state;

void dh_progress_begin(const char *what, uint64_t total)
{
	state.what = what;
	state.total = total;
	state.began = dh_clock_seconds();
	state.drawn = 0;
	state.done = 0;
	state.on = isatty(STDERR_FILENO);
	state.visible = false;
}

void dh_progress_set_total(uint64_t total)
{
	state.total = total;
}

/* By what the others took each, as of the last one that was done. */
static void add_time_left(struct dh_buf *b, uint64_t done, double t)
{
	double each = (state.changed - state.began) / (double)done;
	double left = DH_MAX(each * (double)(state.total - done) - (t - state.changed), 0.0);

	if (left < 90)
		dh_buf_addf(b, ", %.0f s left", left);
	else
		dh_buf_addf(b, ", %.0f min left", left / 60);
}

void dh_progress_update(uint64_t done, const char *note)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	double t;

	if (!state.on)
		return;
	t = dh_clock_seconds();
	if (done != state.done) {
		state.done = done;
		state.changed = t;
	}
	if (t - state.drawn < 0.1)
		return;
	state.drawn = t;
	dh_buf_addf(&b, "\r\033[K%s: %" PRIu64, state.what, done);
	if (state.total) {
		dh_buf_addf(&b, "/%" PRIu64, state.total);
		if (done && done <= state.total && t - state.began > 1)
			add_time_left(&b, done, t);
	}
	if (note && *note)
		dh_buf_addf(&b, "  %s", note);
	dh_write_full(STDERR_FILENO, b.data, b.len);
	state.visible = true;
}

void dh_progress_hide(void)
{
	if (state.visible)
		dh_write_full(STDERR_FILENO, "\r\033[K", 4);
	state.visible = false;
}

void dh_progress_end(void)
{
	dh_progress_hide();
	state.on = false;
}
