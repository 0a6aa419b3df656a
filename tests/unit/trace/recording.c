#include "recording.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

char *scratch_new(void)
{
	char top[] = "/tmp/deadheat-test-trace-XXXXXX";

	assert_non_null(mkdtemp(top));
	return dh_asprintf("%s/rec", top);
}

void scratch_free(char *dir)
{
	*strrchr(dir, '/') = '\0';
	assert_int_equal(dh_remove_tree(dir), 0);
	free(dir);
}

struct dh_trace_meta test_meta(void)
{
	struct dh_trace_meta m = {.cwd = dh_strdup("/some/where"), .n_env = 7, .root_pid = 42};

	m.argv = dh_new_n(char *, 3);
	m.argv[0] = dh_strdup("./prog");
	m.argv[1] = dh_strdup("two words");
	m.argv[2] = NULL;
	dh_trace_machine_init(
		&m.machine, "Vendor", "Model 1", "alpha beta", 0xfedcba9876543210, 832);
	return m;
}

struct dh_trace_writer *open_writer(const char *dir, uint64_t max_size)
{
	struct dh_trace_meta m = test_meta();
	struct dh_trace_writer *w = NULL;
	struct dh_error err = DH_ERROR_INIT;

	if (dh_trace_writer_open(dir, &m, max_size, &w, &err) < 0)
		fail_msg("%s", err.text);
	dh_trace_meta_release(&m);
	return w;
}

struct dh_trace_reader *open_reader(const char *dir)
{
	struct dh_trace_reader *r = NULL;
	struct dh_error err = DH_ERROR_INIT;

	if (dh_trace_reader_open(dir, &r, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

void make_event(uint64_t seq, size_t max_len, struct test_event *ret)
{
	uint64_t h = mix(seq);
	size_t len = max_len ? (h >> 8) % (max_len + 1) : 0;

	/* One in sixteen is as large as allowed, the others small. */
	if (h % 16)
		len %= 200;
	ret->kind = (uint16_t)(h >> 48);
	ret->task = h & 0x100 ? (uint32_t)(h >> 16) : (uint32_t)(h & 3);
	ret->len = len;
	ret->data = dh_alloc(len + 1);
	for (size_t i = 0; i < len; i++)
		ret->data[i] = (uint8_t)(h & 0x1000 ? mix(seq * 131 + i) : h >> (i % 8));
}

int add_event(struct dh_trace_writer *w, uint64_t seq, size_t max_len)
{
	struct test_event e;
	struct iovec parts[3];
	size_t half;
	int r;

	make_event(seq, max_len, &e);
	half = e.len / 2;
	parts[0] = (struct iovec){e.data, half};
	parts[1] = (struct iovec){NULL, 0};
	parts[2] = (struct iovec){e.data + half, e.len - half};
	r = dh_trace_writer_add(w, e.kind, e.task, parts, 3);
	free(e.data);
	return r;
}

void write_recording(const char *dir, uint64_t n, size_t max_len)
{
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_error err = DH_ERROR_INIT;

	for (uint64_t i = 0; i < n; i++)
		assert_int_equal(add_event(w, i, max_len), 0);
	assert_int_equal(dh_trace_writer_next_seq(w), n);
	assert_int_equal(dh_trace_writer_close(w, &err), 0);
}

char *path_in(const char *dir, const char *name)
{
	return dh_asprintf("%s/%s", dir, name);
}

void read_whole(const char *path, struct dh_buf *ret)
{
	struct dh_error err = DH_ERROR_INIT;

	dh_buf_clear(ret);
	if (dh_read_file(path, 1u << 30, ret, &err) < 0)
		fail_msg("%s", err.text);
}

void write_whole(const char *path, const void *p, size_t n)
{
	/* Cut afterwards: a file that is emptied first is flushed by some file systems. */
	DH_FD int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(dh_write_full(fd, p, n), 0);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
}

uint64_t read_events(struct dh_trace_reader *r, size_t max_len, int *ret_end)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_event e;
	struct test_event want;
	uint64_t n = 0;
	int got;

	while ((got = dh_trace_reader_next(r, &e, &err)) > 0) {
		make_event(e.seq, max_len, &want);
		assert_int_equal(e.kind, want.kind);
		assert_int_equal(e.task, want.task);
		assert_int_equal(e.len, want.len);
		assert_memory_equal(e.data, want.data, want.len);
		free(want.data);
		n++;
	}
	if (got < 0)
		assert_string_not_equal(err.text, "");
	if (ret_end)
		*ret_end = got;
	else
		assert_int_equal(got, 0);
	return n;
}
