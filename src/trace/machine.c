#include "trace/meta.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"

/* Walks a list of words separated by spaces: the next word, or NULL. */
static const char *next_word(const char **at, size_t *ret_len)
{
	const char *word = *at + strspn(*at, " ");

	*ret_len = strcspn(word, " ");
	*at = word + *ret_len;
	return *ret_len ? word : NULL;
}

static bool has_word(const char *list, const char *word, size_t len)
{
	const char *w;
	size_t n;

	while ((w = next_word(&list, &n)))
		if (n == len && memcmp(w, word, n) == 0)
			return true;
	return false;
}

/* Appends the words of a that b lacks, separated by commas; their number. */
static int missing_words(const char *a, const char *b, struct dh_buf *out)
{
	const char *w;
	size_t n;
	int count = 0;

	while ((w = next_word(&a, &n))) {
		if (has_word(b, w, n))
			continue;
		if (count++)
			dh_buf_adds(out, ", ");
		dh_buf_add(out, w, n);
	}
	return count;
}

static const char *text_or_empty(const char *s)
{
	return s ? s : "";
}

/* Both directions matter: libraries choose their code by what is there. */
static bool features_differ(
	const struct dh_trace_machine *a, const struct dh_trace_machine *b, struct dh_buf *why)
{
	const char *recorded = text_or_empty(a->cpu_features);
	const char *here = text_or_empty(b->cpu_features);
	DH_BUF struct dh_buf lacks = DH_BUF_INIT, extra = DH_BUF_INIT;
	int n_lacks = missing_words(recorded, here, &lacks);
	int n_extra = missing_words(here, recorded, &extra);

	if (n_lacks)
		dh_buf_addf(why, "CPU features: recorded with %s, this machine lacks %s\n",
			dh_buf_str(&lacks), n_lacks == 1 ? "it" : "them");
	if (n_extra)
		dh_buf_addf(why, "CPU features: recorded without %s, this machine has %s\n",
			dh_buf_str(&extra), n_extra == 1 ? "it" : "them");
	return n_lacks || n_extra;
}

static bool strings_differ(const char *what, const char *a, const char *b, struct dh_buf *why)
{
	a = text_or_empty(a);
	b = text_or_empty(b);
	if (strcmp(a, b) == 0)
		return false;
	dh_buf_addf(why, "%s: recorded on %s, this machine has %s\n", what, a, b);
	return true;
}

static bool sizes_differ(const char *what, uint32_t a, uint32_t b, struct dh_buf *why)
{
	if (a == b)
		return false;
	dh_buf_addf(
		why, "%s: recorded with %" PRIu32 ", this machine has %" PRIu32 "\n", what, a, b);
	return true;
}

enum dh_trace_machine_match dh_trace_meta_compare_machine(const struct dh_trace_machine *recorded,
	const struct dh_trace_machine *here, struct dh_buf *why)
{
	bool other, similar;

	other = strings_differ("CPU vendor", recorded->cpu_vendor, here->cpu_vendor, why);
	other |= features_differ(recorded, here, why);
	other |= sizes_differ(
		"size of the CPU's extended state", recorded->xstate_size, here->xstate_size, why);
	other |= sizes_differ("page size", recorded->page_size, here->page_size, why);
	similar = strings_differ("CPU model", recorded->cpu_model, here->cpu_model, why);
	similar |= strings_differ("kernel", recorded->kernel, here->kernel, why);
	if (!other && !similar && recorded->cpu_id != here->cpu_id) {
		dh_buf_adds(why, "CPU: the same model, but it describes itself differently "
				 "(cache sizes, number of CPUs or microcode features)\n");
		similar = true;
	}
	if (other)
		return DH_TRACE_MACHINE_OTHER;
	return similar ? DH_TRACE_MACHINE_SIMILAR : DH_TRACE_MACHINE_SAME;
}
