#include "explore/outcome.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"

#define LINE_SHOWN 160

void dh_outcome_release(struct dh_outcome *o)
{
	free(o->processes);
	dh_buf_release(&o->out);
	dh_buf_release(&o->err);
	dh_buf_release(&o->check.out);
	dh_buf_release(&o->during.out);
	*o = (struct dh_outcome){0};
}

const char *dh_outcome_failure_name(enum dh_outcome_failure f)
{
	static const char *const names[DH_FAILURE_COUNT] = {"none", "crash", "hang", "exit status",
		"failed check", "differing file", "differing output", "error message"};

	return names[f];
}

static bool crashed(int status)
{
	if (status == -1 || !WIFSIGNALED(status))
		return false;
	switch (WTERMSIG(status)) {
	case SIGSEGV:
	case SIGBUS:
	case SIGABRT:
	case SIGILL:
	case SIGFPE:
	case SIGSYS:
	case SIGTRAP:
		return true;
	default:
		return false;
	}
}

static bool failed(int status)
{
	return status != -1 && status != 0;
}

static void say_status(struct dh_buf *out, int status)
{
	if (WIFSIGNALED(status))
		dh_buf_addf(out, "was killed by %s", strsignal(WTERMSIG(status)));
	else
		dh_buf_addf(out, "ended with status %d", WEXITSTATUS(status));
}

/* How many processes with that command ended in that way. */
static size_t count_ends(const struct dh_outcome *o, const char *command, int status)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n_processes; i++)
		n += o->processes[i].status == status &&
		     strcmp(o->processes[i].command, command) == 0;
	return n;
}

/* The process that ended in a way that is wanted here, more often than undisturbed: the youngest
 * one, since a parent mostly fails because of its child. */
static const struct dh_outcome_process *new_end(
	const struct dh_expectation *e, const struct dh_outcome *o, bool (*wanted)(int status))
{
	for (size_t i = o->n_processes; i-- > 0;) {
		const struct dh_outcome_process *p = &o->processes[i];
		size_t now, most = 0;

		if (!wanted(p->status))
			continue;
		now = count_ends(o, p->command, p->status);
		for (size_t k = 0; k < e->n; k++)
			most = DH_MAX(most, count_ends(e->undisturbed[k], p->command, p->status));
		if (now > most)
			return p;
	}
	return NULL;
}

static bool judge_crash(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	const struct dh_outcome_process *p = new_end(e, o, crashed);

	if (!p)
		return false;
	dh_buf_addf(what, "`%s` (process %u) ", p->command, p->pid);
	say_status(what, p->status);
	return true;
}

static bool judge_hang(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	if (o->end != DH_END_HUNG)
		return false;
	for (size_t k = 0; k < e->n; k++)
		if (e->undisturbed[k]->end == DH_END_HUNG)
			return false;
	/* No seconds in it: they differ, and the failure is the same. */
	dh_buf_adds(what, "it does not end");
	for (size_t i = o->n_processes; i-- > 0;) {
		if (o->processes[i].status == -1) {
			dh_buf_addf(what, ": `%s` (process %u) still runs", o->processes[i].command,
				o->processes[i].pid);
			break;
		}
	}
	return true;
}

static bool judge_status(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	const struct dh_outcome_process *p;

	/* What a process inside says to its parent is the parent's to judge: commands like grep
	 * and test tell things in this way.  It is named when the command as a whole ends so. */
	if (o->end == DH_END_HUNG)
		return false;
	for (size_t k = 0; k < e->n; k++)
		if (e->undisturbed[k]->status == o->status)
			return false;
	p = new_end(e, o, failed);
	if (p && p != o->processes) {
		dh_buf_addf(what, "`%s` (process %u) ", p->command, p->pid);
		say_status(what, p->status);
		dh_buf_adds(what, "; ");
	}
	dh_buf_adds(what, "the command ");
	say_status(what, o->status);
	return true;
}

static void first_line(struct dh_buf *what, const char *text)
{
	dh_buf_addf(what, "%.*s", (int)DH_MIN(strcspn(text, "\n"), (size_t)LINE_SHOWN), text);
}

static void say_check(struct dh_buf *what, const char *which, const struct dh_outcome_check *c)
{
	dh_buf_addf(what, "%s ", which);
	say_status(what, c->status);
	if (c->out.len) {
		dh_buf_adds(what, ": ");
		first_line(what, dh_buf_str(&c->out));
	}
}

static bool judge_check(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	bool after = failed(o->check.status), during = failed(o->during.status);

	for (size_t k = 0; k < e->n; k++) {
		after &= e->undisturbed[k]->check.status != o->check.status;
		during &= e->undisturbed[k]->during.status != o->during.status;
	}
	if (during)
		say_check(what, "the check during the run", &o->during);
	else if (after)
		say_check(what, "the check", &o->check);
	return during || after;
}

static bool agree_on(const struct dh_expectation *e, size_t file)
{
	for (size_t k = 1; k < e->n; k++)
		if (e->undisturbed[k]->same[file] != e->undisturbed[0]->same[file])
			return false;
	return e->n > 0;
}

static bool judge_files(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	if (o->end != DH_END_DONE)
		return false;
	for (size_t i = 0; i < e->n_same; i++) {
		if (strcmp(e->same[i], "-") == 0 || !agree_on(e, i) ||
			o->same[i] == e->undisturbed[0]->same[i])
			continue;
		dh_buf_addf(what, "%s %s", e->same[i],
			o->same[i] == 0 ? "is not there" : "has other contents");
		return true;
	}
	return false;
}

static bool same_output(const struct dh_outcome *a, const struct dh_outcome *b)
{
	return a->out.len == b->out.len &&
	       (a->out.len == 0 || memcmp(a->out.data, b->out.data, a->out.len) == 0);
}

static bool outputs_agree(const struct dh_expectation *e)
{
	for (size_t k = 1; k < e->n; k++)
		if (!same_output(e->undisturbed[0], e->undisturbed[k]))
			return false;
	return e->n > 0;
}

/* The first line that the two do not share. */
static void say_difference(struct dh_buf *what, const char *was, const char *is)
{
	size_t i = 0, line = 0;

	for (; was[i] && was[i] == is[i]; i++)
		if (was[i] == '\n')
			line = i + 1;
	dh_buf_adds(what, "standard output has \"");
	first_line(what, is + line);
	dh_buf_adds(what, "\" instead of \"");
	first_line(what, was + line);
	dh_buf_addc(what, '"');
}

static bool judge_output(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	bool wanted = false;

	for (size_t i = 0; i < e->n_same; i++)
		wanted |= strcmp(e->same[i], "-") == 0;
	if (!wanted || o->end != DH_END_DONE || !outputs_agree(e) ||
		same_output(e->undisturbed[0], o))
		return false;
	say_difference(what, dh_buf_str(&e->undisturbed[0]->out), dh_buf_str(&o->out));
	return true;
}

static bool is_error(const struct dh_expectation *e, const char *line)
{
	static const char *const words[] = {"error", "fatal", "cannot", "can't", "failed",
		"no such file", "permission denied", "corrupt", "assertion", "not found",
		"unexpected", "panic", "traceback"};

	if (e->errors)
		return regexec(e->errors, line, 0, NULL, 0) == 0;
	for (size_t i = 0; i < DH_ARRAY_SIZE(words); i++)
		if (strcasestr(line, words[i]))
			return true;
	return false;
}

/* Digits differ from run to run: process ids, line numbers, times. */
static bool alike(const char *a, const char *b, size_t n_b)
{
	const char *end = b + n_b;

	while (*a && b < end) {
		if (*a >= '0' && *a <= '9' && *b >= '0' && *b <= '9') {
			a += strspn(a, "0123456789");
			while (b < end && *b >= '0' && *b <= '9')
				b++;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return !*a && b == end;
}

static bool has_line(const struct dh_buf *text, const char *line)
{
	for (const char *at = dh_buf_str(text); *at;) {
		size_t n = strcspn(at, "\n");

		if (alike(line, at, n))
			return true;
		at += n + (at[n] == '\n');
	}
	return false;
}

static bool said_before(const struct dh_expectation *e, const char *line)
{
	for (size_t k = 0; k < e->n; k++)
		if (has_line(&e->undisturbed[k]->err, line) ||
			has_line(&e->undisturbed[k]->out, line))
			return true;
	return false;
}

static bool new_message(
	const struct dh_expectation *e, const struct dh_buf *text, struct dh_buf *what)
{
	for (const char *at = dh_buf_str(text); *at;) {
		size_t n = strcspn(at, "\n");
		DH_FREE char *line = dh_strndup(at, n);

		if (is_error(e, line) && !said_before(e, line)) {
			dh_buf_adds(what, "it says: ");
			first_line(what, line);
			return true;
		}
		at += n + (at[n] == '\n');
	}
	return false;
}

static bool judge_message(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *what)
{
	return new_message(e, &o->err, what) || (e->errors && new_message(e, &o->out, what));
}

enum dh_outcome_failure dh_outcome_judge(
	const struct dh_expectation *e, const struct dh_outcome *o, struct dh_buf *ret_what)
{
	static const struct {
		enum dh_outcome_failure what;
		bool (*judge)(const struct dh_expectation *e, const struct dh_outcome *o,
			struct dh_buf *what);
	} checkers[] = {
		{DH_FAILURE_CRASH, judge_crash},
		{DH_FAILURE_HANG, judge_hang},
		{DH_FAILURE_STATUS, judge_status},
		{DH_FAILURE_CHECK, judge_check},
		{DH_FAILURE_FILES, judge_files},
		{DH_FAILURE_OUTPUT, judge_output},
		{DH_FAILURE_MESSAGE, judge_message},
	};

	for (size_t i = 0; i < DH_ARRAY_SIZE(checkers); i++)
		if (checkers[i].judge(e, o, ret_what))
			return checkers[i].what;
	return DH_FAILURE_NONE;
}

static bool runs(int status)
{
	return status == -1;
}

uint32_t dh_outcome_culprit(const struct dh_expectation *e, const struct dh_outcome *o)
{
	const struct dh_outcome_process *p = new_end(e, o, crashed);

	if (!p)
		p = new_end(e, o, o->end == DH_END_HUNG ? runs : failed);
	return p ? p->pid : 0;
}

bool dh_outcome_is_good(const struct dh_outcome *o)
{
	if (o->end != DH_END_DONE || o->status != 0 || failed(o->check.status) ||
		failed(o->during.status))
		return false;
	for (size_t i = 0; i < o->n_processes; i++)
		if (crashed(o->processes[i].status))
			return false;
	return true;
}

/* The first execution that did not end as execution 0 did; e->n: none. */
static size_t find_other_end(const struct dh_expectation *e)
{
	const struct dh_outcome *first = e->undisturbed[0];
	size_t k = 1;

	while (k < e->n && e->undisturbed[k]->status == first->status &&
		e->undisturbed[k]->end == first->end &&
		e->undisturbed[k]->check.status == first->check.status &&
		failed(e->undisturbed[k]->during.status) == failed(first->during.status) &&
		dh_outcome_is_good(e->undisturbed[k]) == dh_outcome_is_good(first))
		k++;
	return k;
}

static void say_checked(struct dh_buf *out, const char *which, const struct dh_outcome_check *c)
{
	if (c->status == -1)
		return;
	dh_buf_addf(out, " (%s ", which);
	say_status(out, c->status);
	dh_buf_addc(out, ')');
}

static void say_end(struct dh_buf *out, const struct dh_outcome *o)
{
	if (o->end == DH_END_HUNG)
		dh_buf_adds(out, "hung");
	else
		say_status(out, o->status);
	if (o->check.status == -1 && !failed(o->during.status) && o->status == 0 &&
		o->end == DH_END_DONE && !dh_outcome_is_good(o))
		dh_buf_adds(out, " after a crash of another process");
	say_checked(out, "the check during the run", &o->during);
	say_checked(out, "the check", &o->check);
}

bool dh_outcome_unsteady(const struct dh_expectation *e)
{
	return e->n > 1 && find_other_end(e) < e->n;
}

int dh_outcome_flaky(const struct dh_expectation *e, const char *how, struct dh_buf *ret_what)
{
	int n = 0;

	if (dh_outcome_unsteady(e)) {
		size_t k = find_other_end(e);

		dh_buf_addf(ret_what, "%s, the command once ", how);
		say_end(ret_what, e->undisturbed[0]);
		dh_buf_adds(ret_what, " and once ");
		say_end(ret_what, e->undisturbed[k]);
		dh_buf_addc(ret_what, '\n');
		n++;
	}
	for (size_t i = 0; i < e->n_same; i++) {
		bool is_output = strcmp(e->same[i], "-") == 0;

		if (is_output ? outputs_agree(e) : agree_on(e, i))
			continue;
		dh_buf_addf(ret_what, "%s, %s differs from run to run\n", how,
			is_output ? "standard output" : e->same[i]);
		n++;
	}
	return n;
}
