/* The reader of the canonical JSON, fed with anything.  What it accepts must survive the codec and
 * be worth a row in a store. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "model/findings.h"
#include "model/finding.h"
#include "store/codec.h"
#include "store/import.h"

static void check(const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_finding *g = dh_finding_new(f->kind);

	if (!f->fingerprint[0] || !f->n_evidence)
		abort();
	dh_codec_encode(f, &b);
	if (dh_codec_decode(b.data, b.len, g) < 0)
		abort();
	dh_finding_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	struct dh_error err = DH_ERROR_INIT;

	if (dh_import_json((const char *)data, size, &found, &err) < 0) {
		if (!err.text[0] || found.n)
			abort();
		return 0;
	}
	for (size_t i = 0; i < found.n; i++)
		check(found.items[i]);
	return 0;
}
