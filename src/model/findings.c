#include "model/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/finding.h"

void dh_findings_add(struct dh_findings *s, struct dh_finding *f)
{
	DH_GROW(s->items, s->n, s->cap);
	s->items[s->n++] = f;
}

static int compare(const void *a, const void *b)
{
	return dh_finding_compare(*(struct dh_finding *const *)a, *(struct dh_finding *const *)b);
}

void dh_findings_sort(struct dh_findings *s)
{
	if (s->n)
		qsort(s->items, s->n, sizeof(*s->items), compare);
}

struct dh_finding *dh_findings_find(const struct dh_findings *s, const char *fingerprint)
{
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->items[i]->fingerprint, fingerprint) == 0)
			return s->items[i];
	}
	return NULL;
}

void dh_findings_release(struct dh_findings *s)
{
	for (size_t i = 0; i < s->n; i++)
		dh_finding_free(s->items[i]);
	free(s->items);
	*s = DH_FINDINGS_INIT;
}
