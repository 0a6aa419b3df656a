/* The order of lines, what is folded together and what is left out. */
#include "../unit.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "fuzz/interleave.h"

static const struct dh_sched_step *current;

static bool same(void *arg, size_t i, size_t j)
{
	return current[i].pc == current[j].pc && current[i].op == current[j].op;
}

static struct dh_sched_step does(uint32_t thread, uint64_t pc)
{
	return (struct dh_sched_step){
		.thread = thread, .next = thread, .op = DH_OP_ACCESS, .pc = pc};
}

static struct dh_sched_step gives_way(uint32_t thread, uint64_t pc, uint32_t to, bool preempted)
{
	struct dh_sched_step s = does(thread, pc);

	s.next = to;
	s.flags = (uint8_t)(DH_STEP_SWITCH | (preempted ? DH_STEP_PREEMPT : 0));
	return s;
}

/* "0.1 0!5 1.2": thread 0 does 1, is held before 5, thread 1 does 2; '?' where it blocks. */
static char *told(const struct dh_sched_step *log, size_t n, size_t max)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_moments m;

	current = log;
	dh_interleave(log, n, same, NULL, max, &m);
	for (size_t i = 0; i < m.n; i++) {
		const struct dh_sched_step *s = &log[m.items[i].point];

		dh_buf_addf(&b, "%s%u%c%d", i ? " " : "", s->thread, ".!?~"[m.items[i].mark],
			(int)s -> pc);
		if (m.items[i].times > 1)
			dh_buf_addf(&b, "x%u", m.items[i].times);
	}
	if (m.skipped)
		dh_buf_addf(&b, " -%zu", m.skipped);
	dh_moments_release(&m);
	return strdup(dh_buf_str(&b));
}

#define expect(log, max, text)                                                                     \
	do {                                                                                       \
		DH_FREE char *t = told(log, DH_ARRAY_SIZE(log), max);                              \
		assert_string_equal(t, text);                                                      \
	} while (0)

static void test_held_is_done_later(void **state)
{
	const struct dh_sched_step log[] = {
		does(0, 1),
		gives_way(0, 5, 1, true),
		does(1, 2),
		gives_way(1, 3, 0, false),
		does(0, 6),
	};

	expect(log, 100, "0.1 0!5 1.2 1?3 0.5 0.6");
}

static void test_the_end_of_a_thread_is_not_held(void **state)
{
	struct dh_sched_step log[] = {
		gives_way(0, 7, 1, false),
		gives_way(1, 2, 0, false),
		does(0, 8),
	};

	log[1].op = DH_OP_EXIT;
	expect(log, 100, "0?7 1.2 0.7 0.8");
}

static void test_repetitions_are_counted(void **state)
{
	const struct dh_sched_step log[] = {
		does(0, 1),
		does(0, 1),
		does(0, 1),
		does(0, 2),
		does(1, 2),
		does(0, 1),
	};

	expect(log, 100, "0.1x3 0.2 1.2 0.1");
}

static void test_choices_are_no_lines(void **state)
{
	struct dh_sched_step log[] = {does(0, 1), does(0, 2), does(0, 3)};

	log[1].flags = DH_STEP_CHOICE;
	expect(log, 100, "0.1 0.3");
}

/* Lines near a preemption and near the end stay. */
static void test_what_is_far_goes(void **state)
{
	struct dh_sched_step log[200];
	DH_FREE char *t = NULL;

	for (uint32_t i = 0; i < 200; i++)
		log[i] = i % 2 ? does(i / 2 % 2, i) : gives_way(i / 2 % 2, i, !(i / 2 % 2), false);
	log[100].flags |= DH_STEP_PREEMPT;
	t = told(log, 200, 20);
	assert_non_null(strstr(t, "0!100"));
	assert_non_null(strstr(t, "1.199"));
	assert_null(strstr(t, "0.41"));
	assert_non_null(strstr(t, " -"));
}

/* A thread that does much on its own is told by how it begins and how it ends. */
static void test_the_middle_is_folded(void **state)
{
	struct dh_sched_step log[20];

	for (uint32_t i = 0; i < 20; i++)
		log[i] = does(0, i);
	expect(log, 100, "0.0 0.1 0.2 0~3x14 0.17 0.18 0.19");
}

static void test_nothing(void **state)
{
	struct dh_moments m;

	dh_interleave(NULL, 0, same, NULL, 10, &m);
	assert_int_equal(m.n, 0);
	dh_moments_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held_is_done_later),
		cmocka_unit_test(test_the_end_of_a_thread_is_not_held),
		cmocka_unit_test(test_repetitions_are_counted),
		cmocka_unit_test(test_choices_are_no_lines),
		cmocka_unit_test(test_what_is_far_goes),
		cmocka_unit_test(test_the_middle_is_folded),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
