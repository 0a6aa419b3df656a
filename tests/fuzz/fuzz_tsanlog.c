/* Reports of ThreadSanitizer, or anything else: what becomes a finding is whole. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/buf.h"
#include "fuzz/tsanlog.h"
#include "model/finding.h"
#include "model/findings.h"
#include "store/codec.h"

static void check(const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_finding *g = dh_finding_new(f->kind);

	if (!f->fingerprint[0] || f->n_evidence != 1 || f->n_sites < 2 || !f->title)
		abort();
	for (size_t i = 0; i < f->n_sites; i++) {
		if (!f->sites[i].stack.n || (!f->sites[i].at.line && !f->sites[i].at.offset))
			abort();
	}
	dh_codec_encode(f, &b);
	if (dh_codec_decode(b.data, b.len, g) < 0)
		abort();
	dh_finding_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	struct dh_tsan_log log;

	dh_tsan_log_read((const char *)data, size, &found, &log);
	if (log.taken != found.n || log.taken + log.damaged + log.other > log.reports)
		abort();
	for (size_t i = 0; i < found.n; i++)
		check(found.items[i]);
	return 0;
}
