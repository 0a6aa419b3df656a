#include "fuzz/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/ccargs.h"
#include "fuzz/check.h"
#include "fuzz/launch.h"
#include "fuzz/program.h"
#include "fuzz/schedule.h"
#include "model/finding.h"

#define MAX_OUTPUT ((size_t)64 << 20)
#define WATCH_MS   50

static struct dh_order order_of(const struct dh_fuzz_schedule *s)
{
	return (struct dh_order){.ask = s->ask,
		.targets = s->targets,
		.n_targets = s->ask.ntargets,
		.steps = s->steps,
		.n_steps = s->ask.nsteps};
}

static void tell_modules(struct dh_block *b, const struct dh_fuzz_schedule *s)
{
	for (size_t i = 0; i < s->n_modules; i++)
		dh_block_module(b, s->modules[i]);
}

int dh_fuzz_run_again(const struct dh_fuzz_schedule *s, const struct dh_program *p,
	char *const *argv, int input, double timeout, const char *check, struct dh_again *ret,
	struct dh_error *err)
{
	struct dh_server_options so = {.program = p,
		.argv = argv ? argv : s->argv,
		.input = input,
		.timeout = timeout,
		.preload = s->preload,
		.max_output = MAX_OUTPUT};
	struct dh_order order = order_of(s);
	struct dh_server *server = NULL;
	int r = dh_server_start(&so, &server, err);

	if (r < 0)
		return r;
	tell_modules(dh_server_block(server), s);
	r = dh_server_run(server, &order, &ret->run, err);
	if (r == 0) {
		dh_failure_of(&ret->run, &s->base, &ret->failure);
		if (ret->failure.kind == DH_FAILURE_NONE && check)
			dh_check_judge(check, &ret->run, dh_server_stream(server, 1),
				dh_server_stream(server, 2), &ret->failure);
		ret->as_before = s->failure && ret->failure.key == s->failure;
		dh_server_output(server, 1, MAX_OUTPUT, &ret->output);
		dh_server_output(server, 2, MAX_OUTPUT, &ret->errors);
	}
	dh_server_free(server);
	return r;
}

void dh_again_release(struct dh_again *a)
{
	dh_buf_release(&a->output);
	dh_buf_release(&a->errors);
}

static void add_ex(struct dh_cc_args *a, const char *fmt, ...) DH_PRINTF(2, 3);
static void add_ex(struct dh_cc_args *a, const char *fmt, ...)
{
	struct dh_buf b = DH_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	dh_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	dh_cc_args_add(a, "-ex");
	dh_cc_args_add(a, dh_buf_str(&b));
	dh_buf_release(&b);
}

/* The program's environment is set inside gdb: gdb itself and its shell shall not load the
 * runtime. */
static void gdb_words(const struct dh_fuzz_schedule *s, const struct dh_program *p,
	char *const *argv, const struct dh_finding *f, int block_fd, struct dh_cc_args *ret)
{
	char **env = dh_launch_environment(p, block_fd, s->preload);

	dh_cc_args_add(ret, "gdb");
	dh_cc_args_add(ret, "-q");
	add_ex(ret, "set startup-with-shell off");
	add_ex(ret, "set disable-randomization on");
	for (size_t i = 0; env[i]; i++) {
		env[i][strcspn(env[i], "=")] = ' ';
		add_ex(ret, "set environment %s", env[i]);
		free(env[i]);
	}
	free(env);
	add_ex(ret, "set breakpoint pending on");
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_frame *at = &f->sites[i].at;

		if (at->file && at->line && !strpbrk(at->file, "\n\"'"))
			add_ex(ret, "break %s:%u", at->file, at->line);
	}
	/* The runtime ends a run in which nobody can go on: a last look at all threads. */
	add_ex(ret, "catch syscall exit_group");
	dh_cc_args_add(ret, "--args");
	dh_cc_args_add(ret, p->path);
	for (size_t i = 1; argv[i]; i++)
		dh_cc_args_add(ret, argv[i]);
}

/* A program that gdb has ended leaves its claim behind; the next `run` needs the block again. */
static void watch(pid_t gdb, struct dh_block *b)
{
	int fd = (int)syscall(SYS_pidfd_open, gdb, 0);
	struct pollfd p = {fd, POLLIN, 0};

	while (fd >= 0 && poll(&p, 1, WATCH_MS) <= 0) {
		uint32_t owner = *(volatile uint32_t *)&b->ctl->claimed;

		if (owner && kill((pid_t)owner, 0) < 0 && errno == ESRCH)
			b->ctl->claimed = 0;
	}
	dh_closep(&fd);
}

static int run_gdb(struct dh_cc_args *words, struct dh_block *b, struct dh_error *err)
{
	int status = -1;
	pid_t pid = fork();

	if (pid < 0)
		return dh_error_set(err, errno, "cannot start gdb: %s", strerror(errno));
	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		execvp("gdb", words->words);
		_exit(127);
	}
	signal(SIGINT, SIG_IGN); /* the terminal's interrupt key is gdb's */
	watch(pid, b);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return dh_error_set(err, ENOENT, "gdb is not installed");
	return dh_shell_status(status);
}

int dh_fuzz_gdb(const struct dh_fuzz_schedule *s, const struct dh_program *p, char *const *argv,
	const struct dh_finding *f, struct dh_error *err)
{
	struct dh_block b = DH_BLOCK_INIT;
	struct dh_order order = order_of(s);
	struct dh_cc_args words = {0};
	int r = dh_block_make(&b, err), fd;

	if (r < 0)
		return r;
	tell_modules(&b, s);
	r = dh_block_ask(
		&b, &order.ask, order.targets, order.n_targets, order.steps, order.n_steps);
	fd = r < 0 ? -1 : fcntl(b.fd, F_DUPFD, 200);
	if (r == 0 && fd < 0)
		r = dh_error_set(err, errno, "cannot pass the schedule on: %s", strerror(errno));
	if (r == 0) {
		gdb_words(s, p, argv ? argv : s->argv, f, fd, &words);
		r = run_gdb(&words, &b, err);
		close(fd);
	}
	dh_cc_args_release(&words);
	dh_block_release(&b);
	return r;
}
