#include "recording.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define SIZE    (4u << 20)
#define MAX_LEN 5000

/* Bytes in the directory, without the description. */
static uint64_t size_of(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	uint64_t sum = 0;

	assert_non_null(d);
	while ((e = readdir(d))) {
		DH_FREE char *path = path_in(dir, e->d_name);
		struct stat st;

		if (strncmp(e->d_name, "events.", 7) == 0 && stat(path, &st) == 0)
			sum += (uint64_t)st.st_size;
	}
	closedir(d);
	return sum;
}

static void keeps_the_last_part(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, SIZE);
	struct dh_trace_writer_stats s;
	struct dh_trace_reader_stats rs;
	struct dh_trace_reader *r;
	struct dh_trace_event e;
	uint64_t starts[10000], n = 0, n_starts = 1;

	(void)state;
	starts[0] = 0;
	/* Ten times what fits. */
	do {
		if (dh_trace_writer_wants_segment(w)) {
			assert_int_equal(dh_trace_writer_new_segment(w), 0);
			assert_false(dh_trace_writer_wants_segment(w));
			assert_true(n_starts < DH_ARRAY_SIZE(starts));
			starts[n_starts++] = n;
			assert_true(size_of(dir) <= SIZE);
		}
		assert_int_equal(add_event(w, n++, MAX_LEN), 0);
		dh_trace_writer_stats(w, &s);
	} while (s.stored_bytes < 10ull * SIZE);
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	assert_in_range(size_of(dir), SIZE / 2, SIZE);

	r = open_reader(dir);
	assert_true(dh_trace_reader_complete(r));
	assert_true(dh_trace_reader_meta(r)->flags & DH_TRACE_RING);
	assert_int_equal(dh_trace_reader_stats(r, &rs, NULL), 0);
	assert_int_equal(rs.first_seq + rs.events, n);
	assert_int_equal(dh_trace_reader_peek(r, &e, NULL), 1);
	/* It begins with the first event of a segment: the checkpoint. */
	assert_int_equal(e.seq, rs.first_seq);
	assert_int_equal(e.seq, starts[n_starts - rs.segments]);
	assert_int_equal(read_events(r, MAX_LEN, NULL), rs.events);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

/* Two segments stay, however little room the stored files leave. */
static void files_count_but_stay(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 1u << 20);
	DH_FREE char *source = dh_asprintf("%s.source", dir);
	struct dh_trace_reader_stats rs;
	struct dh_trace_reader *r;
	const char *path;
	char hash[33];
	FILE *f = fopen(source, "w+e");

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < 300000; i++)
		fprintf(f, "%d ", i);
	fflush(f);
	assert_int_equal(dh_trace_writer_add_file(w, fileno(f), hash, NULL), 0);
	fclose(f);
	for (uint64_t i = 0; i < 100; i++) {
		if (i % 10 == 0)
			assert_int_equal(dh_trace_writer_new_segment(w), 0);
		assert_int_equal(add_event(w, i, MAX_LEN), 0);
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	r = open_reader(dir);
	assert_int_equal(dh_trace_reader_stats(r, &rs, NULL), 0);
	assert_int_equal(rs.segments, 2);
	assert_int_equal(rs.first_seq, 80);
	assert_int_equal(read_events(r, MAX_LEN, NULL), 20);
	assert_int_equal(dh_trace_reader_file(r, hash, &path, NULL), 0);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

static void too_small_is_refused(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_meta m = test_meta();
	struct dh_trace_writer *w = NULL;
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	assert_int_equal(dh_trace_writer_open(dir, &m, DH_TRACE_RING_MIN - 1, &w, &err), -EINVAL);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

static void no_ring_wants_no_segment(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);

	(void)state;
	for (uint64_t i = 0; i < 5000; i++) {
		assert_int_equal(add_event(w, i, MAX_LEN), 0);
		assert_false(dh_trace_writer_wants_segment(w));
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	scratch_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_last_part),
		cmocka_unit_test(files_count_but_stay),
		cmocka_unit_test(too_small_is_refused),
		cmocka_unit_test(no_ring_wants_no_segment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
