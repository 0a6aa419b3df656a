#include "../unit.h"

#include <errno.h>

#include "base/alloc.h"
#include "model/candidate.h"
#include "model/findings.h"

#include "../gen.h"

static void names_round_trip(void **state)
{
	(void)state;
	for (int i = 0; i < DH_KIND_COUNT; i++)
		assert_int_equal(dh_kind_parse(dh_kind_name((enum dh_kind)i)), i);
	for (int i = 0; i < DH_LEVEL_COUNT; i++)
		assert_int_equal(dh_level_parse(dh_level_name((enum dh_level)i)), i);
	for (int i = 0; i < DH_STEP_COUNT; i++)
		assert_int_equal(dh_step_kind_parse(dh_step_kind_name((enum dh_step_kind)i)), i);
	for (int i = DH_ACCESS_NONE; i <= DH_ACCESS_UPDATE; i++)
		assert_int_equal(
			dh_access_kind_parse(dh_access_kind_name((enum dh_access_kind)i)), i);
	assert_int_equal(dh_kind_parse("data-races"), -1);
	assert_int_equal(dh_level_parse(NULL), -1);
	assert_string_equal(dh_kind_name(DH_KIND_BLOCKING_IN_ATOMIC), "blocking-in-atomic");
}

/* Everything is copied: what the caller handed in may change afterwards. */
static void copies_deep(void **state)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);
	char name[] = "worker", lock[] = "mutex", lane[] = "thread 1";
	const char *locks[] = {lock};
	struct dh_frame frame = {.function = name, .file = name, .module = name, .build_id = name};
	struct dh_site site = {.role = name,
		.at = frame,
		.who = lane,
		.locks = locks,
		.n_locks = 1,
		.stack = {&frame, 1},
		.created = {&frame, 1},
		.order = name,
		.text = name};

	(void)state;
	dh_finding_add_site(f, &site);
	dh_finding_add_step(f, &(struct dh_step){.lane = lane, .label = name, .file = name});
	memset(name, 'x', sizeof(name) - 1);
	memset(lock, 'x', sizeof(lock) - 1);
	memset(lane, 'x', sizeof(lane) - 1);
	frame.function = locks[0] = NULL;
	assert_string_equal(f->sites[0].at.build_id, "worker");
	assert_string_equal(f->sites[0].stack.frames[0].function, "worker");
	assert_string_equal(f->sites[0].created.frames[0].module, "worker");
	assert_string_equal(f->sites[0].locks[0], "mutex");
	assert_string_equal(f->sites[0].text, "worker");
	assert_string_equal(f->steps[0].lane, "thread 1");
	dh_finding_free(f);
	dh_finding_free(NULL);
}

static void arrays_grow(void **state)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DEADLOCK);

	(void)state;
	for (int i = 0; i < 100; i++) {
		dh_finding_add_reason(f, "reason %d", i);
		dh_finding_add_site(f, &(struct dh_site){.at = {.line = (uint32_t)i}});
		dh_finding_add_step(f, &(struct dh_step){.line = (uint32_t)i, .site = -1});
	}
	assert_string_equal(f->reasons[77], "reason 77");
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(f->sites[i].at.line, i);
		assert_int_equal(f->steps[i].line, i);
	}
	dh_finding_free(f);
}

static int say(struct dh_finding *f, enum dh_level level, int64_t when, const char *command)
{
	return dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = level, .by = "fuzz", .when = when, .reproduce = command});
}

static void ladder(void **state)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);

	(void)state;
	assert_null(dh_finding_strongest(f));
	assert_int_equal(say(f, DH_LEVEL_PREDICTED, 10, NULL), 0);
	assert_int_equal(say(f, DH_LEVEL_REFUTED, 20, NULL), 0);
	assert_int_equal(f->level, DH_LEVEL_REFUTED);
	/* Refuted, later confirmed: both stay, the stronger one is shown. */
	assert_int_equal(say(f, DH_LEVEL_CONFIRMED, 30, NULL), -EINVAL);
	assert_int_equal(say(f, DH_LEVEL_CONFIRMED, 30, ""), -EINVAL);
	assert_int_equal(f->level, DH_LEVEL_REFUTED);
	assert_int_equal(say(f, DH_LEVEL_CONFIRMED, 30, "one"), 0);
	assert_int_equal(say(f, DH_LEVEL_REFUTED, 40, "two"), 0);
	assert_int_equal(f->level, DH_LEVEL_CONFIRMED);
	assert_int_equal(f->n_evidence, 4);
	assert_string_equal(dh_finding_reproduce(f), "one");
	assert_int_equal(dh_finding_strongest(f)->when, 30);
	assert_int_equal(dh_finding_add_evidence(f, &(struct dh_evidence){.by = NULL}), -EINVAL);
	dh_finding_free(f);
}

static void evidence_in_order_of_time(void **state)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);
	uint64_t seed = 4;

	(void)state;
	for (int i = 0; i < 50; i++)
		assert_int_equal(
			say(f, DH_LEVEL_OBSERVED, (int64_t)gen_below(&seed, 100), NULL), 0);
	for (size_t i = 1; i < f->n_evidence; i++)
		assert_true(f->evidence[i - 1].when <= f->evidence[i].when);
	dh_finding_free(f);
}

static void needs_command_from_confirmed_up(void **state)
{
	(void)state;
	assert_false(dh_level_needs_command(DH_LEVEL_PREDICTED));
	assert_false(dh_level_needs_command(DH_LEVEL_REFUTED));
	assert_false(dh_level_needs_command(DH_LEVEL_OBSERVED));
	assert_true(dh_level_needs_command(DH_LEVEL_CONFIRMED));
	assert_true(dh_level_needs_command(DH_LEVEL_BENIGN));
	assert_true(dh_level_needs_command(DH_LEVEL_HARMFUL));
	assert_true(dh_level_needs_command(DH_LEVEL_EXPLAINED));
}

static void sorts_by_rank(void **state)
{
	struct dh_findings s = DH_FINDINGS_INIT;
	uint64_t seed = 9;

	(void)state;
	for (uint64_t i = 0; i < 200; i++)
		dh_findings_add(&s, gen_finding(i, &seed));
	dh_findings_sort(&s);
	for (size_t i = 1; i < s.n; i++) {
		const struct dh_finding *a = s.items[i - 1], *b = s.items[i];

		assert_true(dh_finding_compare(a, b) < 0);
		assert_true(dh_finding_compare(b, a) > 0);
		assert_true(dh_level_urgency(a->level) >= dh_level_urgency(b->level));
		if (a->level == b->level)
			assert_true(a->score >= b->score);
	}
	assert_ptr_equal(dh_findings_find(&s, s.items[17]->fingerprint), s.items[17]);
	assert_null(dh_findings_find(&s, "none"));
	assert_false(dh_level_is_open(s.items[s.n - 1]->level));
	dh_findings_release(&s);
}

static void candidates(void **state)
{
	uint64_t seed = 3;
	struct dh_finding *f = gen_finding(1, &seed), *none = dh_finding_new(DH_KIND_DATA_RACE);
	struct dh_candidate a, b;

	(void)state;
	assert_int_equal(dh_candidate_of(none, &a), -ENODATA);
	assert_int_equal(dh_candidate_of(f, &a), 0);
	assert_string_equal(a.sides[1].function, f->sites[1].at.function);
	assert_string_equal(a.fingerprint, f->fingerprint);
	b = a;
	b.score = a.score + 1;
	assert_true(dh_candidate_compare(&b, &a) < 0);
	assert_int_equal(dh_candidate_compare(&a, &a), 0);
	dh_finding_free(f);
	dh_finding_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_round_trip),
		cmocka_unit_test(copies_deep),
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(ladder),
		cmocka_unit_test(evidence_in_order_of_time),
		cmocka_unit_test(needs_command_from_confirmed_up),
		cmocka_unit_test(sorts_by_rank),
		cmocka_unit_test(candidates),
	};

	return cmocka_run_group_tests_name("model/finding", tests, NULL, NULL);
}
