/* Suppression files: anything, tried on one finding. */
#include "fuzz.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/finding.h"
#include "store/suppress.h"

static struct dh_finding *finding(void)
{
	struct dh_frame frames[] = {{.function = "put", .file = "src/queue.c", .module = "prog"},
		{.function = "worker", .file = "src/main.c", .module = "/lib/libwork.so.1"}};
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);

	f->variable = "queue.head";
	dh_finding_add_site(f, &(struct dh_site){.at = frames[0], .stack = {frames, 2}});
	return f;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct dh_finding *f;
	struct dh_suppressions s;
	struct dh_error err = DH_ERROR_INIT;
	bool any;

	if (!f)
		f = finding();
	dh_suppressions_init(&s);
	if (dh_suppressions_parse(&s, "fuzz", (const char *)data, size, &err) < 0) {
		if (!err.text[0] || s.n)
			abort();
	} else {
		any = dh_suppressions_match(&s, f);
		for (size_t i = 0; i < s.n; i++) {
			if (s.items[i].hits && !any)
				abort();
		}
	}
	dh_suppressions_release(&s);
	return 0;
}
