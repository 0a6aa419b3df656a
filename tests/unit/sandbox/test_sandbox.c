/* Sandboxes, as root and as an ordinary user: what hostile commands do inside changes nothing
 * outside, what they changed is listed, and nothing is left behind. */
#include "../unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "sandbox/sandbox.h"

#define NOBODY 65534

static bool isolated;                                      /* shown: the next tests may be rude */
static char made_in[] = "/var/tmp/deadheat-unit-s-XXXXXX"; /* where sandboxes are made */
static char *place; /* a directory of this test's own, which is also the working directory */

struct script {
	const char *text;
	int list_fd; /* changes are written there; -1: not wanted */
};

static void list_one(void *cookie, const struct dh_sandbox_change *c)
{
	dprintf(*(int *)cookie, "%c%s %llu\n", c->removed ? '-' : '+', c->path,
		(unsigned long long)c->size);
}

static int run_script(void *cookie, const struct dh_sandbox_inside *inside)
{
	struct script *s = cookie;
	int status = 0;
	pid_t pid;

	if (getpid() != 1)
		return 99;
	pid = fork();
	if (pid == 0) {
		dh_sandbox_confine(inside);
		execl("/bin/sh", "sh", "-c", s->text, (char *)NULL);
		_exit(98);
	}
	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			return 97;
	if (s->list_fd >= 0)
		dh_sandbox_changes(inside, list_one, &s->list_fd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Reads all that comes out, then the end. */
static int collect(struct dh_sandbox *s, struct dh_buf *out, struct dh_error *err)
{
	struct pollfd p[3] = {{.fd = dh_sandbox_output(s, 0), .events = POLLIN},
		{.fd = dh_sandbox_output(s, 1), .events = POLLIN},
		{.fd = dh_sandbox_poll_fd(s), .events = POLLIN}};
	int status, r;

	do {
		char buf[4096];
		ssize_t n;

		poll(p, 3, -1);
		for (int i = 0; i < 2; i++) {
			while ((n = read(p[i].fd, buf, sizeof(buf))) > 0)
				if (i == 0)
					dh_buf_add(out, buf, (size_t)n);
			if (n == 0)
				p[i].fd = -1;
		}
	} while (!p[2].revents);
	r = dh_sandbox_wait(s, &status, err);
	return r < 0 ? r : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int in_sandbox(
	struct dh_sandbox_options o, const char *text, struct dh_buf *out, struct dh_buf *changes)
{
	char list[] = "/var/tmp/deadheat-test-XXXXXX";
	struct script script = {text, -1};
	struct dh_error err = DH_ERROR_INIT;
	DH_BUF struct dh_buf own = DH_BUF_INIT;
	struct dh_sandbox *s = NULL;
	int r;

	o.cwd = place;
	o.place = o.place ? o.place : made_in;
	o.stdin_fd = -1;
	o.body = run_script;
	o.cookie = &script;
	if (changes) {
		script.list_fd = mkstemp(list);
		unlink(list);
	}
	r = dh_sandbox_start(&o, &s, &err);
	if (r == 0)
		r = collect(s, out ? out : &own, &err);
	dh_sandbox_free(s);
	if (changes) {
		lseek(script.list_fd, 0, SEEK_SET);
		if (r >= 0) /* else the test may be skipped, and nobody takes care of it */
			dh_read_fd(script.list_fd, 1 << 20, changes);
		close(script.list_fd);
	}
	if (r < 0)
		print_message("sandbox: %s\n", dh_error_text(&err, r));
	return r;
}

/* Not allowed here: nothing to be tested. */
static bool no_namespaces(int r)
{
	return r == -EPERM || r == -ENOSPC || r == -EINVAL || r == -ENOSYS;
}

static void put_file(const char *name, const char *text)
{
	DH_FREE char *path = dh_asprintf("%s/%s", place, name);
	DH_FD int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(dh_write_full(fd, text, strlen(text)), 0);
}

static void assert_file(const char *name, const char *text)
{
	DH_FREE char *path = dh_asprintf("%s/%s", place, name);
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	assert_int_equal(dh_read_file(path, 1 << 20, &b, NULL), 0);
	assert_string_equal(dh_buf_str(&b), text);
}

static bool exists(const char *name)
{
	DH_FREE char *path = dh_asprintf("%s/%s", place, name);

	return access(path, F_OK) == 0;
}

static void setup_files(void)
{
	DH_FREE char *sub = dh_asprintf("%s/sub", place);

	mkdir(sub, 0755);
	put_file("keep", "kept\n");
	put_file("sub/deep", "deep\n");
}

static void assert_files(void)
{
	assert_file("keep", "kept\n");
	assert_file("sub/deep", "deep\n");
	assert_false(exists("new"));
}

static void test_changes_stay_inside(void **state)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT, changes = DH_BUF_INIT;
	int r;

	(void)state;
	setup_files();
	r = in_sandbox((struct dh_sandbox_options){0},
		"cat keep; echo n > new; echo more >> keep; rm -r sub; cat new; ls; pwd -P; "
		"echo x > /tmp/deadheat-unit-x; test -w /dev/null && test ! -e sub",
		&out, &changes);
	if (no_namespaces(r))
		skip();
	assert_int_equal(r, 0);
	assert_files();
	assert_non_null(strstr(dh_buf_str(&out), "kept\nn\nkeep\nnew\n"));
	assert_non_null(strstr(dh_buf_str(&out), place));
	assert_non_null(strstr(dh_buf_str(&changes), "/keep 10\n"));
	assert_non_null(strstr(dh_buf_str(&changes), "/new 2\n"));
	assert_non_null(strstr(dh_buf_str(&changes), "-"));
	assert_true(access("/tmp/deadheat-unit-x", F_OK) < 0);
	isolated = true;
}

/* Everything that a command could do to the machine; each failure is as good as a catch. */
static const char hostile[] =
	"rm -rf /etc /home /srv /opt \"$PWD\"/*\n"
	"echo hurt > /proc/sys/kernel/hostname; hostname hurt\n"
	"umount -a; umount /proc/sys; mount -t tmpfs x /mnt; echo 1 > /proc/sys/kernel/panic\n"
	"echo 3 > /proc/sys/vm/drop_caches; ip link add dummy0 type dummy\n"
	"chmod 777 /usr/bin/env; ls /proc/1/fd/; cat /proc/1/environ; echo x > /proc/1/mem\n"
	"kill -9 1; kill -9 -1; echo alive\n";

static void test_hostile(void **state)
{
	char before[256] = "", after[256] = "";
	struct stat etc;
	pid_t canary = fork();
	int r, status;

	(void)state;
	if (canary == 0) {
		pause();
		_exit(0);
	}
	setup_files();
	if (!isolated) {
		kill(canary, SIGKILL);
		waitpid(canary, &status, 0);
		skip();
	}
	gethostname(before, sizeof(before));
	r = in_sandbox((struct dh_sandbox_options){0}, hostile, NULL, NULL);
	kill(canary, 0);
	assert_int_equal(waitpid(canary, &status, WNOHANG), 0);
	kill(canary, SIGTERM);
	waitpid(canary, &status, 0);
	assert_int_equal(WTERMSIG(status), SIGTERM);
	if (no_namespaces(r))
		skip();
	assert_files();
	gethostname(after, sizeof(after));
	assert_string_equal(before, after);
	assert_int_equal(stat("/etc/passwd", &etc), 0);
	assert_true(access("/sys/class/net/dummy0", F_OK) < 0);
	assert_int_equal(stat("/usr/bin/env", &etc), 0);
	assert_false(etc.st_mode & S_IWOTH);
}

static void test_network_is_loopback_only(void **state)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	int r;

	(void)state;
	r = in_sandbox((struct dh_sandbox_options){0},
		"sed -n 's/^ *\\([a-z0-9]*\\):.*/\\1/p' /proc/net/dev; cat /proc/self/net/route",
		&out, NULL);
	if (no_namespaces(r))
		skip();
	assert_int_equal(r, 0);
	assert_non_null(strstr(dh_buf_str(&out), "lo\n"));
	assert_null(strstr(dh_buf_str(&out), "eth"));
}

static int count_leftovers(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int n = 0;

	while ((e = readdir(d)))
		n += strncmp(e->d_name, "deadheat-sandbox-", 17) == 0;
	closedir(d);
	return n;
}

static void test_layers_on_disk_and_copies(void **state)
{
	struct dh_sandbox_options disk = {.on_disk = true};
	struct dh_sandbox_options copy = {.no_overlay = true};
	DH_BUF struct dh_buf changes = DH_BUF_INIT;
	int r;

	(void)state;
	setup_files();
	r = in_sandbox(
		disk, "rm -r sub; mkdir sub; echo n > new; test ! -e sub/deep", NULL, &changes);
	if (no_namespaces(r))
		skip();
	assert_int_equal(r, 0);
	assert_files();
	assert_non_null(strstr(dh_buf_str(&changes), "/new 2\n"));
	dh_buf_clear(&changes);
	r = in_sandbox(
		copy, "rm -r sub; echo n > new; ! echo x > /var/tmp/deadheat-x", NULL, &changes);
	assert_int_equal(r, 0);
	assert_files();
	assert_non_null(strstr(dh_buf_str(&changes), "/new 2\n"));
	assert_null(strstr(dh_buf_str(&changes), "/keep"));
}

static int choose_number(void *cookie, const struct dh_sandbox_inside *inside)
{
	pid_t pid;

	(void)cookie;
	if (dh_sandbox_next_pid(inside, 777) < 0)
		return 1;
	pid = fork();
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid == 777 ? 0 : 2;
}

static void test_process_numbers(void **state)
{
	struct dh_sandbox_options o = {.stdin_fd = -1, .body = choose_number};
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	struct dh_error err = DH_ERROR_INIT;
	struct dh_sandbox *s;

	(void)state;
	if (dh_sandbox_start(&o, &s, &err) < 0)
		skip();
	assert_int_equal(collect(s, &out, &err), 0);
	dh_sandbox_free(s);
}

/* A starter that is killed takes everything with it; the next one removes what is left. */
static void test_killed_starter(void **state)
{
	struct script script = {"echo up; sleep 1000", -1};
	struct dh_sandbox_options o = {.place = place,
		.cwd = place,
		.stdin_fd = -1,
		.on_disk = true,
		.body = run_script,
		.cookie = &script};
	struct dh_error err = DH_ERROR_INIT;
	int up[2], status;
	pid_t starter;
	char c;

	(void)state;
	assert_int_equal(pipe(up), 0);
	starter = fork();
	if (starter == 0) {
		struct dh_sandbox *s;
		struct pollfd p = {.events = POLLIN};

		if (dh_sandbox_start(&o, &s, &err) < 0)
			_exit(77);
		p.fd = dh_sandbox_output(s, 0);
		poll(&p, 1, 10000);
		/* From now on only what is inside holds the other end. */
		if (write(up[1], "u", 1) == 1)
			pause();
		_exit(1);
	}
	close(up[1]);
	if (read(up[0], &c, 1) != 1) {
		waitpid(starter, &status, 0);
		skip();
	}
	kill(starter, SIGKILL);
	waitpid(starter, &status, 0);
	/* The end of file comes when the last process inside, which inherited the pipe, is gone. */
	while (read(up[0], &c, 1) > 0)
		;
	close(up[0]);
	assert_int_equal(count_leftovers(place), 1);
	assert_int_equal(dh_sandbox_sweep(place), 1);
	assert_int_equal(count_leftovers(place), 0);
}

/* Somebody else sweeps all the time: what is just being made is not stale. */
static void test_swept_while_made(void **state)
{
	struct dh_sandbox_options o = {.place = place, .stdin_fd = -1, .body = choose_number};
	struct dh_error err = DH_ERROR_INIT;
	struct dh_sandbox *s = NULL;
	pid_t sweeper = fork();
	int r = 0;

	(void)state;
	if (sweeper == 0)
		for (;;)
			dh_sandbox_sweep(place);
	for (int i = 0; r == 0 && i < 30; i++) {
		r = dh_sandbox_start(&o, &s, &err);
		if (r == 0)
			dh_sandbox_free(s);
	}
	kill(sweeper, SIGKILL);
	waitpid(sweeper, NULL, 0);
	if (r == -EPERM)
		skip();
	assert_int_equal(r, 0);
}

static void test_unwritable_place(void **state)
{
	struct dh_sandbox_options o = {
		.place = "/nonexistent/place", .stdin_fd = -1, .body = choose_number};
	struct dh_error err = DH_ERROR_INIT;
	struct dh_sandbox *s;

	(void)state;
	assert_int_equal(dh_sandbox_start(&o, &s, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/place"));
}

static int run_all(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes_stay_inside),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_network_is_loopback_only),
		cmocka_unit_test(test_layers_on_disk_and_copies),
		cmocka_unit_test(test_process_numbers),
		cmocka_unit_test(test_killed_starter),
		cmocka_unit_test(test_swept_while_made),
		cmocka_unit_test(test_unwritable_place),
	};
	char template[] = "/var/tmp/deadheat-unit-XXXXXX";
	int failed;

	place = mkdtemp(template);
	if (!place || !mkdtemp(made_in) || chdir(place) < 0)
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (rmdir(made_in) < 0) {
		print_message("something is left in %s\n", made_in);
		failed = 1;
	}
	strcpy(made_in + strlen(made_in) - 6, "XXXXXX"); /* root comes after the ordinary user */
	if (chdir("/") == 0)
		dh_remove_tree(place);
	return failed;
}

int main(void)
{
	int status;
	pid_t pid;

	if (geteuid() != 0)
		return run_all();
	pid = fork();
	if (pid == 0) {
		if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
			setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(1);
		/* As after the exec of a login shell: /proc/PID belongs to the user again. */
		prctl(PR_SET_DUMPABLE, 1);
		print_message("as an ordinary user:\n");
		exit(run_all());
	}
	waitpid(pid, &status, 0);
	print_message("as root:\n");
	return run_all() || status != 0;
}
