/* Descriptions of findings as the store keeps them.  What decodes must encode to something that
 * decodes to the same. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/finding.h"
#include "store/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);
	struct dh_finding *g = dh_finding_new(DH_KIND_DATA_RACE);
	DH_BUF struct dh_buf a = DH_BUF_INIT, b = DH_BUF_INIT;

	if (dh_codec_decode(data, size, f) == 0) {
		dh_finding_seal(f);
		dh_codec_encode(f, &a);
		if (dh_codec_decode(a.data, a.len, g) < 0)
			abort();
		dh_codec_encode(g, &b);
		if (a.len != b.len || memcmp(a.data, b.data, a.len) != 0)
			abort();
	}
	dh_finding_free(f);
	dh_finding_free(g);
	return 0;
}
