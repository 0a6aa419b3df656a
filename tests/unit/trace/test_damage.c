/* What happens to recordings: cut anywhere, changed anywhere, parts missing or exchanged. */
#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "trace/format.h"

#define N       100
#define MAX_LEN 120

/* A recording of several blocks (flush ends one), and the bytes of its events file. */
static char *small_recording(struct dh_buf *ret_bytes)
{
	char *dir = scratch_new();
	DH_FREE char *path = path_in(dir, "events.000000");
	struct dh_trace_writer *w = open_writer(dir, 0);

	for (uint64_t i = 0; i < N; i++) {
		assert_int_equal(add_event(w, i, MAX_LEN), 0);
		if (i % 12 == 7)
			assert_int_equal(dh_trace_writer_flush(w), 0);
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	read_whole(path, ret_bytes);
	return dir;
}

static void cut_at_every_byte(void **state)
{
	struct dh_buf bytes = DH_BUF_INIT;
	char *dir = small_recording(&bytes);
	DH_FREE char *path = path_in(dir, "events.000000");
	uint64_t last = 0;
	int steps = 0;

	(void)state;
	write_whole(path, "", 0);
	for (size_t n = 0; n <= bytes.len; n++) {
		struct dh_trace_reader *r;
		uint64_t got;

		/* One more byte each time. */
		if (n) {
			FILE *f = fopen(path, "ae");

			assert_non_null(f);
			fputc(bytes.data[n - 1], f);
			fclose(f);
		}
		r = open_reader(dir);
		got = read_events(r, MAX_LEN, NULL);
		assert_true(got >= last && got <= N);
		assert_int_equal(dh_trace_reader_complete(r), n == bytes.len);
		steps += got > last;
		last = got;
		dh_trace_reader_free(r);
	}
	assert_int_equal(last, N);
	assert_true(steps >= 8);
	dh_buf_release(&bytes);
	scratch_free(dir);
}

/* Every bit of the file, one at a time: noticed, and nothing wrong comes out before. */
static void every_flipped_bit_is_noticed(void **state)
{
	struct dh_buf bytes = DH_BUF_INIT;
	char *dir = small_recording(&bytes);
	DH_FREE char *path = path_in(dir, "events.000000");

	(void)state;
	for (size_t i = 0; i < bytes.len; i++) {
		struct dh_trace_reader *r;
		char *p = bytes.data + i;
		uint64_t got;
		int end;

		*p = (char)(*p ^ (1 << (i * 5 % 8)));
		write_whole(path, bytes.data, bytes.len);
		*p = (char)(*p ^ (1 << (i * 5 % 8)));
		r = open_reader(dir);
		got = read_events(r, MAX_LEN, &end);
		/* Only the end mark itself may turn into a cut. */
		if (end != -EBADMSG) {
			assert_int_equal(got, N);
			assert_false(dh_trace_reader_complete(r));
			assert_true(i >= bytes.len - DH_TRACE_BLOCK_SIZE);
		} else {
			assert_int_equal(read_events(r, MAX_LEN, &end), 0);
			assert_int_equal(end, -EBADMSG);
		}
		dh_trace_reader_free(r);
	}
	dh_buf_release(&bytes);
	scratch_free(dir);
}

/* Several changes at once, and pieces moved, doubled or taken out. */
static void scrambled_files_are_refused(void **state)
{
	struct dh_buf bytes = DH_BUF_INIT;
	char *dir = small_recording(&bytes);
	DH_FREE char *path = path_in(dir, "events.000000");
	DH_FREE char *copy = dh_alloc(bytes.len);

	(void)state;
	srandom(4711);
	for (int round = 0; round < 3000; round++) {
		size_t from = (size_t)random() % bytes.len, to = (size_t)random() % bytes.len;
		size_t n = (size_t)random() % (bytes.len - DH_MAX(from, to)) + 1;
		struct dh_trace_reader *r;
		int end;

		memcpy(copy, bytes.data, bytes.len);
		switch (round % 3) {
		case 0:
			memmove(copy + to, copy + from, n);
			break;
		case 1:
			memset(copy + from, (int)random(), n);
			break;
		default:
			for (size_t i = 0; i < n; i++)
				copy[from + i] ^= (char)random();
		}
		write_whole(path, copy, bytes.len);
		r = open_reader(dir);
		assert_true(read_events(r, MAX_LEN, &end) <= N);
		assert_true(end == 0 || end == -EBADMSG);
		if (end == 0 && dh_trace_reader_complete(r))
			assert_memory_equal(copy, bytes.data, bytes.len);
		dh_trace_reader_free(r);
	}
	dh_buf_release(&bytes);
	scratch_free(dir);
}

/* What a machine leaves that stops while the file grows. */
static void zeros_at_the_end_are_a_cut(void **state)
{
	struct dh_buf bytes = DH_BUF_INIT;
	char *dir = small_recording(&bytes);
	DH_FREE char *path = path_in(dir, "events.000000");
	struct dh_trace_reader *r;
	int end;

	(void)state;
	memset(bytes.data + bytes.len - DH_TRACE_BLOCK_SIZE, 0, DH_TRACE_BLOCK_SIZE);
	write_whole(path, bytes.data, bytes.len);
	r = open_reader(dir);
	assert_int_equal(read_events(r, MAX_LEN, &end), N);
	assert_int_equal(end, 0);
	assert_false(dh_trace_reader_complete(r));
	dh_trace_reader_free(r);
	dh_buf_release(&bytes);
	scratch_free(dir);
}

static char *segmented_recording(void)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);

	for (uint64_t i = 0; i < 40; i++) {
		if (i % 10 == 0)
			assert_int_equal(dh_trace_writer_new_segment(w), 0);
		assert_int_equal(add_event(w, i, MAX_LEN), 0);
	}
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	return dir;
}

static void expect_prefix(const char *dir, uint64_t want, const char *word)
{
	struct dh_trace_reader *r = open_reader(dir);
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_event e;
	int end;

	assert_int_equal(read_events(r, MAX_LEN, &end), want);
	assert_int_equal(end, -EBADMSG);
	assert_int_equal(dh_trace_reader_next(r, &e, &err), -EBADMSG);
	if (!strstr(err.text, word))
		fail_msg("'%s' does not say '%s'", err.text, word);
	dh_trace_reader_free(r);
}

static void missing_segments_are_named(void **state)
{
	char *dir = segmented_recording();
	DH_FREE char *second = path_in(dir, "events.000001");
	DH_FREE char *first = path_in(dir, "events.000000");

	(void)state;
	assert_int_equal(unlink(second), 0);
	expect_prefix(dir, 10, "events.000001");
	/* A segment in the middle that lost its end is no cut. */
	write_whole(second, "", 0);
	expect_prefix(dir, 10, "empty segment");
	scratch_free(dir);

	dir = segmented_recording();
	free(first);
	first = path_in(dir, "events.000000");
	assert_int_equal(truncate(first, 70), 0);
	expect_prefix(dir, 0, "ends in a block");
	scratch_free(dir);
}

static void exchanged_segments_are_noticed(void **state)
{
	char *dir = segmented_recording(), *other = segmented_recording();
	DH_FREE char *a = path_in(dir, "events.000001");
	DH_FREE char *b = path_in(dir, "events.000002");
	DH_FREE char *theirs = path_in(other, "events.000001");
	struct dh_buf bytes = DH_BUF_INIT;

	(void)state;
	read_whole(theirs, &bytes);
	write_whole(a, bytes.data, bytes.len);
	expect_prefix(dir, 10, "another recording");
	read_whole(b, &bytes);
	write_whole(a, bytes.data, bytes.len);
	expect_prefix(dir, 10, "another segment");
	dh_buf_release(&bytes);
	scratch_free(dir);
	scratch_free(other);
}

static void no_recording_there(void **state)
{
	char *dir = scratch_new();
	DH_FREE char *events = path_in(dir, "events.000000");
	struct dh_trace_reader *r = NULL;
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	assert_int_equal(dh_trace_reader_open(dir, &r, &err), -ENOENT);
	assert_non_null(strstr(err.text, dir));
	write_recording(dir, 3, MAX_LEN);
	assert_int_equal(unlink(events), 0);
	assert_int_equal(dh_trace_reader_open(dir, &r, &err), -EBADMSG);
	assert_null(r);
	scratch_free(dir);
}

static void stats_add_up(void **state)
{
	struct dh_buf bytes = DH_BUF_INIT;
	char *dir = small_recording(&bytes);
	struct dh_trace_reader *r = open_reader(dir);
	struct dh_trace_reader_stats s;
	struct dh_trace_event e;

	(void)state;
	assert_int_equal(dh_trace_reader_next(r, &e, NULL), 1);
	assert_int_equal(dh_trace_reader_stats(r, &s, NULL), 0);
	assert_int_equal(s.events, N);
	assert_int_equal(s.first_seq, 0);
	assert_int_equal(s.segments, 1);
	assert_true(s.blocks >= 9);
	assert_int_equal(s.stored_bytes, bytes.len - DH_TRACE_BLOCK_SIZE);
	/* The position is where it was. */
	assert_int_equal(read_events(r, MAX_LEN, NULL), N - 1);
	dh_trace_reader_free(r);
	dh_buf_release(&bytes);
	scratch_free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(scrambled_files_are_refused),
		cmocka_unit_test(zeros_at_the_end_are_a_cut),
		cmocka_unit_test(missing_segments_are_named),
		cmocka_unit_test(exchanged_segments_are_noticed),
		cmocka_unit_test(no_recording_there),
		cmocka_unit_test(stats_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
