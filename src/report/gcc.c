/* gcc's lines: "file:line:col: warning: ... [kind]", with a note for each further site and for the
 * reproducing command, so that editors and CI annotators which know compilers jump there. */
#include <inttypes.h>

#include "base/buf.h"
#include "report/internal.h"

static void add_where(const struct dh_report *r, const struct dh_frame *at)
{
	struct dh_buf *out = r->out;

	if (at && at->file) {
		/* Readers of this format want all three; a compiler's first column is 1. */
		dh_words_plain(out, dh_report_path(r, at->file));
		dh_buf_addf(out, ":%" PRIu32 ":%" PRIu32 ": ", DH_MAX(at->line, 1u),
			DH_MAX(at->column, 1u));
	} else if (at && at->module) {
		dh_words_plain(out, at->module);
		dh_buf_addf(out, "+0x%" PRIx64 ": ", at->offset);
	} else {
		dh_buf_adds(out, "deadheat: ");
	}
}

static void add_site(const struct dh_report *r, const struct dh_site *s)
{
	struct dh_buf *out = r->out;

	dh_buf_adds(out, "note: ");
	if (s->role && s->access.kind != DH_ACCESS_NONE) {
		dh_words_plain(out, s->role);
		dh_buf_adds(out, ": ");
	}
	dh_words_access(out, s);
	if (s->who) {
		dh_buf_adds(out, " by ");
		dh_words_plain(out, s->who);
	}
	if (s->at.function) {
		dh_buf_adds(out, " in ");
		dh_words_plain(out, s->at.function);
	}
	for (size_t i = 0; i < s->n_locks; i++) {
		dh_buf_adds(out, i ? ", " : ", holding ");
		dh_words_plain(out, s->locks[i]);
	}
	dh_buf_addc(out, '\n');
}

static void add_finding(const struct dh_report *r, const struct dh_finding *f)
{
	const struct dh_frame *at = f->n_sites ? &f->sites[0].at : NULL;
	const char *reproduce = dh_finding_reproduce(f);

	add_where(r, at);
	dh_buf_adds(r->out, "warning: ");
	dh_words_plain(r->out, f->title ? f->title : dh_kind_words(f->kind)->name);
	dh_buf_addf(
		r->out, " (%s, %s) [%s]\n", dh_level_name(f->level), f->id, dh_kind_name(f->kind));
	for (size_t i = 0; i < f->n_sites; i++) {
		add_where(r, &f->sites[i].at);
		add_site(r, &f->sites[i]);
	}
	if (reproduce) {
		add_where(r, at);
		dh_buf_adds(r->out, "note: reproduce with: ");
		dh_words_plain(r->out, reproduce);
		dh_buf_addc(r->out, '\n');
	}
}

int dh_report_gcc(const struct dh_report *r, struct dh_error *err)
{
	(void)err;
	for (size_t i = 0; i < r->n; i++)
		add_finding(r, r->findings[i]);
	return 0;
}
