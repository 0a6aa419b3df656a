#include "recording.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "trace/format.h"

static void round_trip(uint64_t n, size_t max_len)
{
	char *dir = scratch_new();
	struct dh_trace_reader *r;

	write_recording(dir, n, max_len);
	r = open_reader(dir);
	assert_true(dh_trace_reader_complete(r));
	assert_int_equal(read_events(r, max_len, NULL), n);
	assert_int_equal(dh_trace_reader_rewind(r, NULL), 0);
	assert_int_equal(read_events(r, max_len, NULL), n);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

static void events_come_back(void **state)
{
	(void)state;
	round_trip(0, 0);
	round_trip(1, 0);
	round_trip(100000, 100);
	round_trip(3000, 20000);
}

/* Payloads around the size of a block, and larger ones. */
static void large_events_come_back(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_trace_reader *r;
	struct dh_trace_event e;
	static const size_t sizes[] = {DH_TRACE_BLOCK_MAX - 20, DH_TRACE_BLOCK_MAX - 13,
		DH_TRACE_BLOCK_MAX - 12, DH_TRACE_BLOCK_MAX - 5, DH_TRACE_BLOCK_MAX,
		DH_TRACE_BLOCK_MAX + 1, 1, 20u << 20, 0};
	uint8_t *big = dh_zalloc(20u << 20);

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(sizes); i++) {
		struct iovec part = {big, sizes[i]};

		big[sizes[i] / 2] = (uint8_t)i;
		assert_int_equal(dh_trace_writer_add(w, 1, 2, &part, 1), 0);
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	r = open_reader(dir);
	for (size_t i = 0; i < DH_ARRAY_SIZE(sizes); i++) {
		assert_int_equal(dh_trace_reader_next(r, &e, NULL), 1);
		assert_int_equal(e.seq, i);
		assert_int_equal(e.len, sizes[i]);
		if (e.len)
			assert_int_equal(e.data[e.len / 2], i);
	}
	assert_int_equal(dh_trace_reader_next(r, &e, NULL), 0);
	dh_trace_reader_free(r);
	free(big);
	scratch_free(dir);
}

static void too_large_is_refused(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct iovec parts[2] = {{NULL, DH_TRACE_EVENT_MAX}, {NULL, 1}};

	(void)state;
	assert_int_equal(dh_trace_writer_add(w, 0, 0, parts, 2), -E2BIG);
	parts[0].iov_len = SIZE_MAX;
	assert_int_equal(dh_trace_writer_add(w, 0, 0, parts, 2), -E2BIG);
	assert_int_equal(add_event(w, 0, 10), 0);
	assert_int_equal(dh_trace_writer_next_seq(w), 1);
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	scratch_free(dir);
}

/* An event that nothing follows is on disk soon after. */
static void idle_events_are_written(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_trace_writer_stats stats = {0};
	struct dh_trace_reader *r;

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		assert_int_equal(add_event(w, i, 50), 0);
	for (int i = 0; i < 500 && stats.events < 3; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		dh_trace_writer_stats(w, &stats);
	}
	assert_int_equal(stats.events, 3);
	assert_int_equal(add_event(w, 3, 50), 0);
	r = open_reader(dir);
	assert_false(dh_trace_reader_complete(r));
	assert_in_range(read_events(r, 50, NULL), 3, 4);
	dh_trace_reader_free(r);
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	scratch_free(dir);
}

static void needs_an_empty_directory(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_meta m = test_meta();
	struct dh_trace_writer *w = NULL;
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	write_recording(dir, 1, 1);
	assert_int_equal(dh_trace_writer_open(dir, &m, 0, &w, &err), -ENOTEMPTY);
	assert_null(w);
	assert_non_null(strstr(err.text, dir));
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

static void peek_does_not_take(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_event a, b, c;
	struct dh_trace_reader *r;
	struct test_event want;
	const size_t max = 300000;

	(void)state;
	write_recording(dir, 200, max);
	r = open_reader(dir);
	for (uint64_t i = 0; i < 199; i++) {
		assert_int_equal(dh_trace_reader_next(r, &a, NULL), 1);
		assert_int_equal(dh_trace_reader_peek(r, &b, NULL), 1);
		assert_int_equal(dh_trace_reader_peek(r, &c, NULL), 1);
		assert_int_equal(a.seq, i);
		assert_int_equal(b.seq, i + 1);
		assert_ptr_equal(b.data, c.data);
		/* Both are readable at the same time. */
		make_event(i, max, &want);
		assert_memory_equal(a.data, want.data, want.len);
		free(want.data);
		make_event(i + 1, max, &want);
		assert_memory_equal(b.data, want.data, want.len);
		free(want.data);
	}
	assert_int_equal(dh_trace_reader_next(r, &a, NULL), 1);
	assert_int_equal(dh_trace_reader_peek(r, &a, NULL), 0);
	assert_int_equal(dh_trace_reader_next(r, &a, NULL), 0);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

/* A child may drop the writer at any moment; the parent's recording does not notice. */
static void children_may_abandon(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_trace_reader *r;
	uint64_t seq = 0;

	(void)state;
	for (int i = 0; i < 100; i++) {
		pid_t pid;
		int status;

		for (int k = 0; k < 200; k++)
			assert_int_equal(add_event(w, seq++, 5000), 0);
		pid = fork();
		if (pid == 0) {
			dh_trace_writer_abandon(w);
			_exit(7);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(WEXITSTATUS(status), 7);
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	r = open_reader(dir);
	assert_int_equal(read_events(r, 5000, NULL), seq);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_come_back),
		cmocka_unit_test(large_events_come_back),
		cmocka_unit_test(too_large_is_refused),
		cmocka_unit_test(idle_events_are_written),
		cmocka_unit_test(needs_an_empty_directory),
		cmocka_unit_test(peek_does_not_take),
		cmocka_unit_test(children_may_abandon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
