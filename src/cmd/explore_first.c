/* deadheat explore: the first run, which is recorded, and what a person should know of it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/progress.h"
#include "cmd/explore.h"
#include "trace/list.h"
#include "trace/meta.h"

#define LAST_LINES 4
#define LINE_SHOWN 200

#define NETWORK                                                                                    \
	"there is no network but loopback in the sandbox: what the program talks to must be "      \
	"started by the command itself"
#define TERMINAL                                                                                   \
	"there is no terminal in the sandbox: 'script -qec COMMAND /dev/null' gives the program "  \
	"one"
#define ROOT                                                                                       \
	"in the sandbox nobody is root of the machine: devices, mounts and the clock are not to "  \
	"be changed"

/* What programs say when they miss something that the sandbox does not have. */
static const struct {
	const char *words, *hint;
} hints[] = {
	{"resolve", NETWORK},
	{"name resolution", NETWORK},
	{"network is unreachable", NETWORK},
	{"connection refused", NETWORK},
	{"could not connect", NETWORK},
	{"not a tty", TERMINAL},
	{"not a terminal", TERMINAL},
	{"failed tty get", TERMINAL},
	{"inappropriate ioctl", TERMINAL},
	{"error opening terminal", TERMINAL},
	{"operation not permitted", ROOT},
};

/* Of a program that may be anybody's: nothing that a terminal obeys. */
static void say_line(const char *line, size_t n)
{
	char text[LINE_SHOWN + 1];
	size_t len = DH_MIN(n, (size_t)LINE_SHOWN);

	for (size_t i = 0; i < len; i++)
		text[i] = (unsigned char)line[i] < ' ' || line[i] == 0x7f ? ' ' : line[i];
	text[len] = '\0';
	dh_log_warn("it said: %s", text);
}

static void say_last_lines(const char *text)
{
	size_t n = strlen(text), from = n;

	while (n && text[n - 1] == '\n')
		n--;
	from = n;
	for (int lines = 0; from > 0; from--)
		if (text[from - 1] == '\n' && ++lines == LAST_LINES)
			break;
	while (from < n) {
		size_t len = strcspn(text + from, "\n");

		say_line(text + from, DH_MIN(len, n - from));
		from += len + 1;
	}
}

static void say_hint(const char *text)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(hints); i++) {
		if (strcasestr(text, hints[i].words)) {
			dh_log_warn("%s", hints[i].hint);
			return;
		}
	}
}

/* What is looked at is what it did; and that is little when it could not work at all. */
static void say_failure(const struct dh_outcome *first)
{
	const char *text = dh_buf_str(first->err.len ? &first->err : &first->out);

	dh_log_warn("the program failed, and what it did until then is all that is looked at");
	say_last_lines(text);
	say_hint(text);
}

static void say_first(const struct dh_outcome *first, const char *dir)
{
	int status = first->status;

	if (first->end == DH_END_HUNG) {
		dh_log_warn("recorded in %s as far as it came: %s (--timeout); what it would have "
			    "done later is not looked at",
			dir, first->why);
		return;
	}
	dh_log_info("recorded in %s, %.2f s, exit status %d", dir, first->seconds,
		WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	if (status != 0)
		say_failure(first);
}

int dh_explore_first(struct dh_explore_options *eo, struct dh_error *err)
{
	struct dh_outcome first;
	int r = dh_explore_record(eo, &first, err);

	dh_progress_end();
	if (r < 0)
		dh_remove_tree(eo->dir);
	if (r == -EINTR)
		return dh_error_set(err, EINTR,
			"interrupted while it was recorded; --timeout 30s ends a program that does "
			"not end by itself");
	if (r < 0)
		return r;
	say_first(&first, eo->dir);
	dh_outcome_release(&first);
	dh_trace_list_set_latest(NULL, eo->dir, NULL);
	return 0;
}

int dh_explore_is_recording(int n, char *const *argv, struct dh_error *err)
{
	struct dh_trace_meta meta = {0};
	struct stat st;

	if (n != 1 || stat(argv[0], &st) < 0 || !S_ISDIR(st.st_mode))
		return 0;
	if (dh_trace_meta_read(argv[0], &meta, NULL) < 0)
		return dh_error_set(err, ENOENT,
			"%s is a directory, but no recording ('deadheat explore -- PROGRAM' makes "
			"one below .deadheat/recordings)",
			argv[0]);
	dh_trace_meta_release(&meta);
	return 1;
}
