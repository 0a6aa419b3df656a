/* Summaries of translation units, as the cache of deadheat scan keeps them.  What is read must be
 * whole enough to be shown, linked and written again, and what was written must read to the same.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "scan/ir/summary.h"
#include "scan/link/link.h"

static void write_all(struct dh_scan_program *p, struct dh_buf *out)
{
	uint32_t *all = dh_new_n(uint32_t, p->n_functions);

	for (uint32_t i = 1; i < p->n_functions; i++)
		all[i - 1] = i;
	dh_scan_summary_write(p, all, p->n_functions - 1, true, out);
	free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dh_scan_program *p = dh_scan_program_new(), *q = dh_scan_program_new();
	DH_BUF struct dh_buf bytes = DH_BUF_INIT, before = DH_BUF_INIT, after = DH_BUF_INIT;

	if (dh_scan_summary_read(p, data, size, NULL) == 0) {
		dh_scan_dump(p, &before);
		write_all(p, &bytes);
		if (dh_scan_summary_read(q, bytes.data, bytes.len, NULL) < 0)
			abort();
		dh_scan_dump(q, &after);
		if (strcmp(dh_buf_str(&before), dh_buf_str(&after)) != 0)
			abort();
		dh_scan_links_free(dh_scan_link(p));
	}
	dh_scan_program_free(p);
	dh_scan_program_free(q);
	return 0;
}
