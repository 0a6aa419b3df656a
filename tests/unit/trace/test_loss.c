/* The recorder is killed, or the disk is full: what is there stays whole. */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

#define MAX_LEN 9000

struct progress {
	_Atomic uint64_t added, flushed;
};

static void DH_NORETURN write_until_killed(const char *dir, bool ring, struct progress *p)
{
	struct dh_trace_writer *w = open_writer(dir, ring ? 1u << 20 : 0);

	for (uint64_t i = 0;; i++) {
		if (ring && dh_trace_writer_wants_segment(w))
			dh_trace_writer_new_segment(w);
		if (add_event(w, i, MAX_LEN) < 0)
			_exit(1);
		atomic_store(&p->added, i + 1);
		if (i % 1000 == 999) {
			if (dh_trace_writer_flush(w) < 0)
				_exit(1);
			atomic_store(&p->flushed, i + 1);
		}
	}
}

static void check_what_is_left(const char *dir, const struct progress *p)
{
	struct dh_trace_reader_stats stats;
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_reader *r = NULL;
	uint64_t n;
	int end = dh_trace_reader_open(dir, &r, &err);

	/* Killed before there was a recording at all. */
	if (end < 0 && atomic_load(&p->added) == 0)
		return;
	assert_int_equal(end, 0);
	assert_int_equal(dh_trace_reader_stats(r, &stats, NULL), 0);
	n = read_events(r, MAX_LEN, &end);
	assert_int_equal(end, 0);
	assert_int_equal(n, stats.events);
	n += stats.first_seq;
	assert_in_range(n, atomic_load(&p->flushed), atomic_load(&p->added) + 1);
	assert_false(dh_trace_reader_complete(r));
	dh_trace_reader_free(r);
}

/* early: perhaps before anything was written. */
static void kill_and_check(bool ring, bool early, struct progress *p)
{
	char *dir = scratch_new();
	pid_t pid;
	int status;

	*p = (struct progress){0};
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		write_until_killed(dir, ring, p);
	while (!early && atomic_load(&p->added) == 0)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	nanosleep(&(struct timespec){.tv_nsec = random() % 30000000}, NULL);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	check_what_is_left(dir, p);
	scratch_free(dir);
}

static void killed_at_any_moment(void **state)
{
	struct progress *p =
		mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_true(p != MAP_FAILED);
	srandom(99);
	for (int i = 0; i < 100; i++)
		kill_and_check(i % 2, i % 8 == 0, p);
	munmap(p, sizeof(*p));
}

/* Files may not grow beyond limit: what a full disk is like. */
static void limit_files(rlim_t limit)
{
	struct rlimit l;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &l), 0);
	l.rlim_cur = limit;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

static uint64_t write_against_the_limit(const char *dir, int want)
{
	struct dh_trace_writer *w = open_writer(dir, 0);
	struct dh_trace_writer_stats s;
	struct dh_error err = DH_ERROR_INIT;
	uint64_t i;
	int r = 0;

	for (i = 0; i < 200000 && r == 0; i++)
		r = add_event(w, i, MAX_LEN);
	assert_int_equal(r, want);
	/* It sticks, and says so. */
	limit_files(RLIM_INFINITY);
	assert_int_equal(add_event(w, i, MAX_LEN), want);
	assert_int_equal(dh_trace_writer_flush(w), want);
	assert_int_equal(dh_trace_writer_new_segment(w), want);
	dh_trace_writer_stats(w, &s);
	assert_true(s.events > 0 && s.events < i);
	assert_int_equal(s.events + s.dropped, i + 1);
	assert_int_equal(dh_trace_writer_close(w, &err), want);
	assert_non_null(strstr(err.text, "dropped"));
	return s.events;
}

static void full_disk_leaves_a_prefix(void **state)
{
	static const rlim_t limits[] = {300, 100000, 3000001};

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < DH_ARRAY_SIZE(limits); i++) {
		char *dir = scratch_new();
		struct dh_trace_reader *r;
		struct dh_trace_writer *w;
		uint64_t n;

		if (limits[i] < 1000) {
			/* Not even the description fits: no recording at all. */
			struct dh_trace_meta m = test_meta();
			struct dh_error err = DH_ERROR_INIT;

			limit_files(limits[i]);
			assert_int_equal(dh_trace_writer_open(dir, &m, 0, &w, &err), -EFBIG);
			limit_files(RLIM_INFINITY);
			dh_trace_meta_release(&m);
			scratch_free(dir);
			continue;
		}
		limit_files(limits[i]);
		n = write_against_the_limit(dir, -EFBIG);
		r = open_reader(dir);
		assert_int_equal(read_events(r, MAX_LEN, NULL), n);
		assert_false(dh_trace_reader_complete(r));
		dh_trace_reader_free(r);
		scratch_free(dir);
	}
}

/* A stored file that does not fit ends the recording too. */
static void file_that_does_not_fit(void **state)
{
	char *dir = scratch_new();
	struct dh_trace_writer *w = open_writer(dir, 0);
	DH_FREE char *source = dh_asprintf("%s.source", dir);
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_reader *r;
	char hash[33] = "untouched";
	FILE *f;

	(void)state;
	/* The signal that comes with it must not get through. */
	signal(SIGXFSZ, SIG_DFL);
	f = fopen(source, "w+e");
	assert_non_null(f);
	for (int i = 0; i < 50000; i++)
		fputs("words ", f);
	fflush(f);
	assert_int_equal(add_event(w, 0, MAX_LEN), 0);
	assert_int_equal(dh_trace_writer_flush(w), 0);
	limit_files(100000);
	assert_int_equal(dh_trace_writer_add_file(w, fileno(f), hash, &err), -EFBIG);
	limit_files(RLIM_INFINITY);
	fclose(f);
	assert_string_equal(hash, "untouched");
	assert_int_equal(add_event(w, 1, MAX_LEN), -EFBIG);
	assert_int_equal(dh_trace_writer_close(w, &err), -EFBIG);
	r = open_reader(dir);
	assert_int_equal(read_events(r, MAX_LEN, NULL), 1);
	dh_trace_reader_free(r);
	scratch_free(dir);
}

static void put_text(const char *path, const char *text)
{
	DH_FD int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		print_message("%s: %s\n", path, strerror(errno));
}

/* A small file system of our own at dir, which nobody else sees; false when that is not allowed. */
static bool mount_small_disk(const char *dir)
{
	char uids[64], gids[64];

	if (unshare(CLONE_NEWNS) < 0) {
		snprintf(uids, sizeof(uids), "0 %d 1", (int)geteuid());
		snprintf(gids, sizeof(gids), "0 %d 1", (int)getegid());
		if (unshare(CLONE_NEWNS | CLONE_NEWUSER) < 0)
			return false;
		put_text("/proc/self/uid_map", uids);
		put_text("/proc/self/setgroups", "deny");
		put_text("/proc/self/gid_map", gids);
	}
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", dir, "tmpfs", 0, "size=2m") == 0;
}

/* Changes the process for good, so it is the last test. */
static void really_full_disk(void **state)
{
	char *disk = scratch_new(), *dir;
	struct dh_trace_reader *r;
	uint64_t n;

	(void)state;
	assert_int_equal(dh_mkdir_p(disk, 0755, NULL), 0);
	if (!mount_small_disk(disk)) {
		print_message("skipped: mounting is not allowed here\n");
		scratch_free(disk);
		skip();
	}
	dir = path_in(disk, "rec");
	n = write_against_the_limit(dir, -ENOSPC);
	r = open_reader(dir);
	assert_int_equal(read_events(r, MAX_LEN, NULL), n);
	assert_false(dh_trace_reader_complete(r));
	dh_trace_reader_free(r);
	assert_int_equal(umount(disk), 0);
	free(dir);
	scratch_free(disk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_at_any_moment),
		cmocka_unit_test(full_disk_leaves_a_prefix),
		cmocka_unit_test(file_that_does_not_fit),
		cmocka_unit_test(really_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
