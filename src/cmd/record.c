/* deadheat record: record a program or a whole process tree. */
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "base/opt.h"
#include "record/record.h"
#include "trace/list.h"

#define NO_SEED UINT64_MAX

static struct {
	const char *dir;
	uint64_t max_size;
	uint64_t chaos;
	bool no_buffer;
	bool calls;
} o = {.chaos = NO_SEED};

static const struct dh_cmd cmd = {"record", "[options] -- PROGRAM [ARG]...",
	"Records a program and all processes it starts, so that 'deadheat replay' can run it\n"
	"again exactly.  Exits with the program's own status.",
	NULL};

static const struct dh_opt opts[] = {
	{DH_OPT_STRING, 'o', "output", "DIR",
		"the new recording (default: .deadheat/recordings/PROGRAM-N)", &o.dir, NULL},
	{DH_OPT_UINT, 0, "max-size", "SIZE", "keep only about the last SIZE bytes (100M, 2G)",
		&o.max_size, NULL},
	{DH_OPT_UINT, 0, "chaos", "SEED",
		"let threads run in random order and for random times,\nto provoke rare failures",
		&o.chaos, NULL},
	{DH_OPT_FLAG, 0, "no-buffer", NULL,
		"stop at every system call (slower; a recording that\nfails may work this way)",
		&o.no_buffer, NULL},
	{DH_OPT_FLAG, 0, "calls", NULL,
		"note what every system call is about (paths, files),\nas races between processes "
		"are found by",
		&o.calls, NULL},
	{0},
};

static void warn(void *cookie, const char *text)
{
	(void)cookie;
	dh_log_warn("%s", text);
}

static void nothing(int sig)
{
	(void)sig;
}

/* A signal that our caller ignores (nohup, a shell's background) is ignored by the program too. */
static void handle(int sig, void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

/* A terminal sends SIGINT to the program as well; SIGTERM comes to us alone.  Handlers, because a
 * signal that we ignored would be ignored by the program too. */
static void handle_signals(void)
{
	handle(SIGINT, nothing);
	handle(SIGQUIT, nothing);
	handle(SIGTERM, dh_record_forward_signal);
	handle(SIGHUP, dh_record_forward_signal);
}

static int exit_like(int status)
{
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

static void summarise(const char *dir, const struct dh_record_result *res)
{
	if (WIFSIGNALED(res->status))
		dh_log_info("the program was killed: %s", strsignal(WTERMSIG(res->status)));
	if (res->write_error)
		dh_log_warn("the recording is not complete (%s)", strerror(res->write_error));
	dh_log_info("recorded %" PRIu64 " events of %" PRIu64 " process%s in %s", res->events,
		res->processes, res->processes == 1 ? "" : "es", dir);
	dh_log_info("run it again: deadheat replay %s", dir);
}

int dh_cmd_record(int argc, char **argv)
{
	struct dh_record_options ro = {.warn = warn};
	struct dh_record_result res;
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *dir = NULL;
	int i = dh_opt_parse(&cmd, opts, argc, argv, &err), r = 0;

	if (i == -ECANCELED)
		return DH_EXIT_OK;
	if (i >= 0 && i >= argc)
		i = dh_error_set(&err, EINVAL, "which program? (deadheat record -- PROGRAM)");
	if (i < 0) {
		dh_log_error("%s", dh_error_text(&err, i));
		return DH_EXIT_USAGE;
	}
	ro.argv = argv + i;
	ro.max_size = o.max_size;
	ro.chaos = o.chaos != NO_SEED;
	ro.seed = ro.chaos ? o.chaos : 0;
	/* A checkpoint would have to wait for what is still in the buffers. */
	ro.buffer = !o.no_buffer && !o.max_size;
	ro.calls = o.calls;
	if (o.dir)
		dir = dh_strdup(o.dir);
	else
		r = dh_trace_list_new(NULL, argv[i], &dir, &err);
	if (r == 0) {
		ro.dir = dir;
		handle_signals();
		r = dh_record_run(&ro, &res, &err);
	}
	if (r < 0) {
		dh_log_error("%s", dh_error_text(&err, r));
		if (dir && !o.dir)
			rmdir(dir); /* a name taken in advance, with nothing in it */
		return DH_EXIT_FAILED;
	}
	dh_trace_list_set_latest(NULL, dir, NULL);
	summarise(dir, &res);
	return exit_like(res.status);
}
