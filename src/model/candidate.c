#include "model/candidate.h"

#include <errno.h>
#include <string.h>

static bool known(const struct dh_frame *at)
{
	return at->function || (at->file && at->line) || (at->module && at->offset);
}

int dh_candidate_of(const struct dh_finding *f, struct dh_candidate *ret)
{
	struct dh_candidate c = {
		.kind = f->kind,
		.variable = f->variable,
		.fingerprint = f->fingerprint[0] ? f->fingerprint : NULL,
		.score = f->score,
	};

	if (f->n_sites < 2)
		return -ENODATA;
	for (size_t i = 0; i < 2; i++) {
		if (!known(&f->sites[i].at))
			return -ENODATA;
		c.sides[i] = f->sites[i].at;
		c.access[i] = f->sites[i].access;
	}
	*ret = c;
	return 0;
}

int dh_candidate_compare(const struct dh_candidate *a, const struct dh_candidate *b)
{
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return strcmp(a->fingerprint ? a->fingerprint : "", b->fingerprint ? b->fingerprint : "");
}
