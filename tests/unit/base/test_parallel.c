#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/parallel.h"

#define PIECES 500

struct job {
	size_t next;        /* that is to be taken */
	unsigned done_here; /* pieces that this process did */
	size_t dies;        /* a piece that no child survives */
	pid_t parent;
	uint64_t sum;
};

/* Sizes from nothing to more than a pipe holds. */
static void work(void *arg, size_t piece, struct dh_buf *out)
{
	struct job *j = arg;
	char text[300];

	j->done_here++;
	if (piece == j->dies && getpid() != j->parent)
		_exit(1);
	memset(text, 'a' + (int)(piece % 26), sizeof(text));
	for (size_t i = 0; i < piece % 7 * 40; i++)
		dh_buf_add(out, text, sizeof(text));
}

static void take(void *arg, size_t piece, const struct dh_buf *out)
{
	struct job *j = arg;

	assert_int_equal(piece, j->next);
	j->next++;
	assert_int_equal(out->len, piece % 7 * 40 * 300);
	for (size_t i = 0; i < out->len; i += 300) {
		assert_int_equal(out->data[i], 'a' + (int)(piece % 26));
		j->sum = j->sum * 31 + (uint64_t)out->data[i];
	}
}

static struct job run(unsigned jobs, size_t dies)
{
	struct job j = {.parent = getpid(), .dies = dies};

	dh_parallel(jobs, PIECES, work, take, &j);
	assert_int_equal(j.next, PIECES);
	return j;
}

static void test_same_for_any_number(void **state)
{
	struct job one = run(1, PIECES);

	for (unsigned jobs = 2; jobs < 6; jobs++) {
		struct job many = run(jobs, PIECES);

		assert_true(many.sum == one.sum);
		assert_int_equal(many.done_here, 0);
	}
}

static void test_none(void **state)
{
	struct job j = {.parent = getpid()};

	dh_parallel(2, 0, work, take, &j);
	assert_int_equal(j.next, 0);
}

/* What a child had not written yet when it died is done here. */
static void test_child_dies(void **state)
{
	struct job one = run(1, PIECES), j = run(2, 100);

	assert_true(j.sum == one.sum);
	assert_true(j.done_here > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_for_any_number),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_child_dies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
