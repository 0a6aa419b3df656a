#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/files.h"

struct fixture {
	char *dir;
	char *source;
	struct dh_trace_files files;
};

static int set_up(void **state)
{
	struct fixture *f = dh_new(struct fixture);
	DH_FREE char *sub = NULL;

	f->dir = scratch_new();
	f->source = dh_asprintf("%s.source", f->dir);
	sub = path_in(f->dir, "files");
	assert_int_equal(dh_mkdir_p(sub, 0755, NULL), 0);
	dh_trace_files_init(&f->files, f->dir);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	dh_trace_files_release(&f->files);
	free(f->source);
	scratch_free(f->dir);
	free(f);
	return 0;
}

static int add(struct fixture *f, const char *path, char hash[33])
{
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return dh_trace_files_add(&f->files, fd, hash, NULL);
}

static void content_is_stored_once(void **state)
{
	struct fixture *f = *state;
	struct dh_buf got = DH_BUF_INIT;
	DH_FREE char *stored = NULL;
	char a[33], b[33], c[33];
	uint64_t bytes;

	write_whole(f->source, "first", 5);
	assert_int_equal(add(f, f->source, a), 0);
	bytes = f->files.bytes;
	assert_int_equal(bytes, 5);
	assert_int_equal(add(f, f->source, b), 0);
	assert_string_equal(a, b);
	assert_int_equal(f->files.bytes, bytes);
	write_whole(f->source, "other", 5);
	assert_int_equal(add(f, f->source, c), 0);
	assert_string_not_equal(a, c);
	assert_int_equal(f->files.bytes, 2 * bytes);

	stored = dh_asprintf("%s/files/%s", f->dir, a);
	read_whole(stored, &got);
	assert_string_equal(dh_buf_str(&got), "first");
	assert_int_equal(dh_trace_files_verify(f->dir, a, NULL), 0);
	assert_int_equal(dh_trace_files_verify(f->dir, c, NULL), 0);
	dh_buf_release(&got);
}

/* The same content gives the same name in every recording, and names are as documented. */
static void hash_is_of_the_content(void **state)
{
	struct fixture *f = *state;
	char hash[33];

	write_whole(f->source, "", 0);
	assert_int_equal(add(f, f->source, hash), 0);
	assert_string_equal(hash, "99aa06d3014798d86001c324468d497f");
	assert_true(dh_trace_hash_valid(hash));
}

static void offset_stays(void **state)
{
	struct fixture *f = *state;
	char hash[33];
	int fd;

	write_whole(f->source, "0123456789", 10);
	fd = open(f->source, O_RDONLY | O_CLOEXEC);
	assert_int_equal(lseek(fd, 4, SEEK_SET), 4);
	assert_int_equal(dh_trace_files_add(&f->files, fd, hash, NULL), 0);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 4);
	close(fd);
	assert_int_equal(f->files.bytes, 10);
}

/* An old, unchanged file is not read again; the same file with new times is. */
static void known_files_are_not_read_again(void **state)
{
	struct fixture *f = *state;
	char a[33], b[33];

	assert_int_equal(add(f, "/bin/sh", a), 0);
	assert_int_equal(f->files.known.n, 1);
	assert_int_equal(add(f, "/bin/sh", b), 0);
	assert_string_equal(a, b);
	assert_int_equal(f->files.known.n, 1);
	/* A fresh one could change within the resolution of its times. */
	write_whole(f->source, "x", 1);
	assert_int_equal(add(f, f->source, a), 0);
	assert_int_equal(f->files.known.n, 1);
}

/* Files without a size, as in /proc, are copied by reading. */
static void files_without_size(void **state)
{
	struct fixture *f = *state;
	char hash[33];

	assert_int_equal(add(f, "/proc/self/status", hash), 0);
	assert_true(f->files.bytes > 100);
	assert_int_equal(dh_trace_files_verify(f->dir, hash, NULL), 0);
}

static void only_regular_files(void **state)
{
	struct fixture *f = *state;
	char hash[33] = "untouched";

	assert_int_equal(add(f, "/dev/null", hash), -EINVAL);
	assert_int_equal(add(f, "/", hash), -EINVAL);
	assert_string_equal(hash, "untouched");
	assert_int_equal(dh_trace_files_add(&f->files, -1, hash, NULL), -EBADF);
}

static void damage_is_named(void **state)
{
	struct fixture *f = *state;
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *stored = NULL;
	char hash[33];

	write_whole(f->source, "some text", 9);
	assert_int_equal(add(f, f->source, hash), 0);
	stored = dh_asprintf("%s/files/%s", f->dir, hash);
	write_whole(stored, "some Text", 9);
	assert_int_equal(dh_trace_files_verify(f->dir, hash, &err), -EBADMSG);
	assert_non_null(strstr(err.text, hash));
	assert_int_equal(unlink(stored), 0);
	assert_int_equal(dh_trace_files_verify(f->dir, hash, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "missing"));
	assert_int_equal(mkdir(stored, 0755), 0);
	assert_int_equal(dh_trace_files_verify(f->dir, hash, &err), -EBADMSG);
}

/* Names come from the recording: nothing but a hash may become part of a path. */
static void names_are_checked(void **state)
{
	static const char *const names[] = {"", "x", "../../../../../../../../etc/passwd",
		"99aa06d3014798d86001c324468d497", "99aa06d3014798d86001c324468d497ff",
		"99AA06D3014798D86001C324468D497F", "99aa06d3014798d8/../../468d497f0"};
	struct fixture *f = *state;

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		assert_false(dh_trace_hash_valid(names[i]));
		assert_int_equal(dh_trace_files_verify(f->dir, names[i], NULL), -EINVAL);
	}
}

/* Through the writer and the reader: verified at the first use, then remembered. */
static void reader_finds_them(void **state)
{
	struct fixture *f = *state;
	DH_FREE char *dir = dh_asprintf("%s.2", f->dir);
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_buf got = DH_BUF_INIT;
	struct dh_trace_reader *r;
	const char *path, *again;
	char hash[33];
	int fd;

	write_whole(f->source, "library", 7);
	fd = open(f->source, O_RDONLY | O_CLOEXEC);
	assert_int_equal(dh_trace_writer_add_file(w, fd, hash, NULL), 0);
	close(fd);
	assert_int_equal(dh_trace_writer_close(w, NULL), 0);
	r = open_reader(dir);
	assert_int_equal(dh_trace_reader_file(r, hash, &path, NULL), 0);
	read_whole(path, &got);
	assert_string_equal(dh_buf_str(&got), "library");
	assert_int_equal(dh_trace_reader_file(r, hash, &again, NULL), 0);
	assert_ptr_equal(path, again);
	write_whole(path, "changed", 7);
	dh_trace_reader_free(r);

	r = open_reader(dir);
	again = NULL;
	assert_int_equal(dh_trace_reader_file(r, hash, &again, NULL), -EBADMSG);
	assert_null(again);
	assert_int_equal(dh_trace_reader_file(r, "../meta.json", &again, NULL), -EINVAL);
	dh_trace_reader_free(r);
	dh_buf_release(&got);
}

#define with_fixture(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_fixture(content_is_stored_once),
		with_fixture(hash_is_of_the_content),
		with_fixture(offset_stays),
		with_fixture(known_files_are_not_read_again),
		with_fixture(files_without_size),
		with_fixture(only_regular_files),
		with_fixture(damage_is_named),
		with_fixture(names_are_checked),
		with_fixture(reader_finds_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
