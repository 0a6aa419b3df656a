/* What a stub tests at each visit: chosen, learned and refined. */
#include "replay/seek.h"

#include <string.h>

#include "proc/memhash.h"
#include "proc/tracee.h"

#define PAGE        4096ull
#define FIRST_WORDS 4
#define REFINE      4 /* differing words that a false match puts first */

static void add_test_first(struct seek *s, const struct dh_stub_test *test)
{
	size_t n = DH_MIN(s->n_tests, (size_t)DH_SEEK_TESTS - 1);

	if (s->visits < DH_SEEK_LEARN)
		return; /* tests must stand still while they are watched */
	memmove(s->tests + 1, s->tests, n * sizeof(s->tests[0]));
	s->tests[0] = *test;
	s->n_tests = n + 1;
}

void dh_seek_refine_by_xstate(struct seek *s, const uint8_t *xstate, size_t n)
{
	struct dh_xstate_word words[REFINE];
	size_t found = dh_xstate_differences(
		&s->r->layout, s->p->xstate, s->p->xstate_len, xstate, n, words, REFINE);

	for (size_t i = 0; i < found; i++)
		add_test_first(s, &(struct dh_stub_test){.kind = DH_STUB_XSTATE,
					  .size = words[i].size,
					  .where = words[i].offset,
					  .value = words[i].value});
}

static int refine_by_page(struct seek *s, const struct dh_ev_write *page, int found)
{
	uint64_t want, have[PAGE / 8];

	if (page->len != PAGE || dh_tracee_read(&s->t->t, page->addr, have, PAGE) < 0)
		return found;
	for (size_t i = 0; i < PAGE / 8 && found < REFINE; i++) {
		memcpy(&want, page->data + i * 8, 8);
		if (want == have[i])
			continue;
		add_test_first(s, &(struct dh_stub_test){.kind = DH_STUB_MEM,
					  .size = 8,
					  .where = page->addr + i * 8,
					  .value = want});
		found++;
	}
	return found;
}

/* False: some page is not as recorded. */
static bool refine_by_pages(struct seek *s)
{
	struct dh_ev_writes pages = s->p->pages;
	struct dh_ev_write page;
	int found = 0;

	while (found < REFINE && dh_ev_next_write(&pages, &page) > 0)
		found = refine_by_page(s, &page, found);
	return found == 0;
}

static bool sum_equal(struct seek *s, uint64_t i)
{
	uint64_t addr, hash;
	uint8_t data[PAGE];

	dh_ev_point_sum(s->p, i, &addr, &hash);
	return dh_tracee_read(&s->t->t, addr, data, PAGE) == 0 &&
	       dh_memhash_page(addr, data) == hash;
}

/* What differed at another visit is looked at first: so most visits that only look like the point
 * cost a page or two. */
static bool likely_sums_equal(struct seek *s)
{
	for (unsigned i = 0; i < DH_MIN(s->n_likely, (unsigned)DH_SEEK_LIKELY); i++) {
		if (!sum_equal(s, s->likely[i]))
			return false;
	}
	return true;
}

static bool sums_equal(struct seek *s)
{
	for (uint64_t i = 0; i < s->p->n_sums; i++) {
		if (!sum_equal(s, i)) {
			s->likely[s->n_likely++ % DH_SEEK_LIKELY] = i;
			return false;
		}
	}
	return true;
}

bool dh_seek_pages_equal(struct seek *s)
{
	return likely_sums_equal(s) && refine_by_pages(s) && sums_equal(s);
}

bool dh_seek_words_equal(struct seek *s)
{
	uint64_t addr, want, got;

	for (uint64_t i = 0; i < s->p->n_words; i++) {
		dh_ev_point_word(s->p, i, &addr, &want);
		if (dh_tracee_read(&s->t->t, addr, &got, sizeof(got)) < 0)
			return false;
		if (got != want) {
			add_test_first(s, &(struct dh_stub_test){.kind = DH_STUB_MEM,
						  .size = 8,
						  .where = addr,
						  .value = want});
			return false;
		}
	}
	return true;
}

void dh_seek_first_tests(struct seek *s)
{
	struct dh_stub_test regs[DH_STUB_REG_TESTS];

	s->n_tests = 0;
	for (uint64_t i = 0; i < s->p->n_words && s->n_tests < FIRST_WORDS; i++) {
		struct dh_stub_test *test = &s->tests[s->n_tests++];

		*test = (struct dh_stub_test){.kind = DH_STUB_MEM, .size = 8};
		dh_ev_point_word(s->p, i, &test->where, &test->value);
	}
	dh_stub_reg_tests(&s->p->regs, regs);
	memcpy(s->tests + s->n_tests, regs, sizeof(regs));
	s->n_tests += DH_STUB_REG_TESTS;
}

static uint64_t test_value(
	struct seek *s, const struct dh_stub_test *test, const struct dh_regs *regs)
{
	uint64_t v = 0;

	if (test->kind == DH_STUB_REG)
		return regs->word[test->where];
	if (test->kind == DH_STUB_MEM)
		dh_tracee_read(&s->t->t, test->where, &v, sizeof(v));
	return v;
}

/* What changes most comes first: most visits then fail the first test. */
static void order_tests(struct seek *s)
{
	for (size_t i = 1; i < s->n_tests; i++) {
		for (size_t k = i; k > 0 && s->changes[k] > s->changes[k - 1]; k--) {
			struct dh_stub_test test = s->tests[k];
			unsigned n = s->changes[k];

			s->tests[k] = s->tests[k - 1];
			s->changes[k] = s->changes[k - 1];
			s->tests[k - 1] = test;
			s->changes[k - 1] = n;
		}
	}
}

void dh_seek_learn(struct seek *s, const struct dh_regs *regs)
{
	for (size_t i = 0; i < s->n_tests; i++) {
		uint64_t v = test_value(s, &s->tests[i], regs);

		if (s->visits > 0 && v != s->last[i])
			s->changes[i]++;
		s->last[i] = v;
	}
	if (++s->visits == DH_SEEK_LEARN)
		order_tests(s);
}
