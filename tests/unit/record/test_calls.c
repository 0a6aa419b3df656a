/* A recording says the same of every call whether the buffer described it or a stop did. */
#include "../unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "program.h"
#include "record/record.h"
#include "sysmodel/sysmodel.h"
#include "trace/call.h"
#include "trace/event.h"
#include "trace/reader.h"

#define TASKS 64

struct told {
	struct dh_buf task[TASKS]; /* a line for each call */
	unsigned n_calls, n_buffered;
	uint64_t last_left, last_nth; /* of the first task */
};

static char top[] = "/tmp/deadheat-calls-XXXXXX";

static void prepare(char work[64])
{
	snprintf(work, 64, "%s/work", top);
	dh_remove_tree(work);
	assert_int_equal(mkdir(work, 0755), 0);
	assert_int_equal(chdir(work), 0);
	assert_int_equal(mkdir("sub", 0755), 0);
	assert_int_equal(mkdir("sub/deep", 0755), 0);
	assert_int_equal(symlink("sub/deep", "link-to-dir"), 0);
	assert_int_equal(symlink("sub/deep/file", "link-to-file"), 0);
	assert_int_equal(symlink("nowhere", "link-to-nothing"), 0);
	close(open("file", O_CREAT | O_WRONLY, 0644));
	close(open("sub/deep/file", O_CREAT | O_WRONLY, 0644));
	assert_int_equal(chdir("/"), 0);
}

static bool is_a_process(int64_t nr)
{
	return nr == SYS_clone || nr == SYS_clone3 || nr == SYS_fork || nr == SYS_vfork ||
	       nr == SYS_wait4 || nr == SYS_getppid;
}

static void add_path(struct dh_buf *out, const char *path)
{
	if (strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9')
		dh_buf_addf(out, " '/proc/PROCESS%s'", path + 6 + strspn(path + 6, "0123456789"));
	else
		dh_buf_addf(out, " '%s'", strchr(path, ':') ? "STREAM" : path);
}

/* Addresses, inode numbers and processes are others in every execution. */
static void add_line(struct dh_buf *out, const struct dh_ev_call *c)
{
	const struct dh_sys_desc *d = dh_sysmodel_find(c->nr);

	dh_buf_addf(out, "%s", d ? d->name : "?");
	for (int i = 0; d && i < d->n_args; i++) {
		if (c->arg[i] < 0x10000 || (int32_t)c->arg[i] == (int64_t)c->arg[i])
			dh_buf_addf(out, " %d", (int)c->arg[i]);
		else
			dh_buf_adds(out, " ADDRESS");
	}
	if (is_a_process(c->nr) && c->result > 0)
		dh_buf_adds(out, " = PROCESS");
	else if (c->nr == SYS_mmap && c->result > 0)
		dh_buf_adds(out, " = ADDRESS");
	else
		dh_buf_addf(out, " = %lld", (long long)c->result);
	dh_buf_addf(out, " '%s'", c->text);
	for (uint32_t i = 0; i < c->n_refs; i++) {
		const struct dh_ev_ref *r = &c->refs[i];

		dh_buf_addf(out, "; role %d fd %d mode %o size %llu dev %llx:%llx %s %s", r->role,
			r->fd, r->mode, (unsigned long long)r->size, (unsigned long long)r->dev,
			(unsigned long long)r->rdev, r->ino ? "inode" : "none",
			r->birth_ns ? "born" : "unborn");
		add_path(out, r->path);
		add_path(out, r->given);
	}
	dh_buf_addc(out, '\n');
}

static void take(struct told *told, const struct dh_trace_event *ev)
{
	struct dh_ev_call c;

	if (ev->kind != DH_EV_CALL)
		return;
	assert_int_equal(dh_ev_get_call(ev, &c), 0);
	assert_true(ev->task < TASKS);
	told->n_calls++;
	told->n_buffered += c.left != 0;
	if (c.left) {
		assert_true(c.entered <= c.left && c.left <= ev->seq);
		assert_true(c.entered_nth < c.left_nth);
	}
	if (c.left && ev->task == 1) {
		assert_true(c.entered >= told->last_left && c.entered_nth > told->last_nth);
		told->last_left = c.left;
		told->last_nth = c.left_nth;
	}
	add_line(&told->task[ev->task], &c);
}

static void record(const char *name, bool buffer, struct told *ret)
{
	char dir[64], work[64], self[] = "/proc/self/exe", word[] = "program";
	char *argv[] = {self, word, work, NULL};
	struct dh_record_options opt = {.dir = dir, .argv = argv, .buffer = buffer, .calls = true};
	struct dh_record_result res;
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_reader *reader;
	struct dh_trace_event ev;
	int r;

	prepare(work);
	snprintf(dir, sizeof(dir), "%s/%s", top, name);
	r = dh_record_run(&opt, &res, &err);
	if (r == -EPERM) {
		print_message("recording is not allowed here: %s\n", err.text);
		skip();
	}
	assert_int_equal(r, 0);
	assert_int_equal(res.status, 0);
	assert_int_equal(dh_trace_reader_open(dir, &reader, &err), 0);
	while ((r = dh_trace_reader_next(reader, &ev, &err)) > 0)
		take(ret, &ev);
	assert_int_equal(r, 0);
	dh_trace_reader_free(reader);
}

/* The first line in which they differ. */
static void compare(const char *a, const char *b)
{
	while (*a || *b) {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		if (n != m || memcmp(a, b, n) != 0)
			fail_msg("a stop says\n%.*s\nand the buffer\n%.*s", (int)n, a, (int)m, b);
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
}

static void test_same(void **state)
{
	static struct told slow, fast;

	(void)state;
	assert_non_null(mkdtemp(top));
	record("slow", false, &slow);
	record("fast", true, &fast);
	dh_remove_tree(top);
	assert_int_equal(slow.n_buffered, 0);
	assert_true(slow.n_calls > 1000);
	assert_int_equal(slow.n_calls, fast.n_calls);
	for (int i = 0; i < TASKS; i++) {
		compare(dh_buf_str(&slow.task[i]), dh_buf_str(&fast.task[i]));
		dh_buf_release(&slow.task[i]);
		dh_buf_release(&fast.task[i]);
	}
	/* Else this has compared nothing. */
	assert_true(fast.n_buffered > fast.n_calls / 3);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};

	if (argc > 2 && strcmp(argv[1], "program") == 0)
		return program(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
