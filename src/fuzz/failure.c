#include "fuzz/failure.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <xxhash.h>

#include "fuzz/server.h"

static const char *const names[DH_FAILURE_COUNT] = {
	[DH_FAILURE_NONE] = "none",
	[DH_FAILURE_CRASH] = "crash",
	[DH_FAILURE_ASSERTION] = "assertion",
	[DH_FAILURE_REPORTED] = "reported",
	[DH_FAILURE_EXIT] = "exit",
	[DH_FAILURE_DEADLOCK] = "deadlock",
	[DH_FAILURE_HANG] = "hang",
	[DH_FAILURE_LIVELOCK] = "livelock",
	[DH_FAILURE_HEAP] = "heap error",
	[DH_FAILURE_OVERFLOW] = "stack overflow",
	[DH_FAILURE_OUTPUT] = "output",
	[DH_FAILURE_CHECK] = "check",
	[DH_FAILURE_UNDECIDED] = "undecided",
};

/* How the runtime's ends read; a row without a kind is decided by the code below. */
static const struct {
	enum dh_failure_kind kind;
	const char *words; /* when the runtime has none */
} ends[DH_END_COUNT] = {
	[DH_END_ASSERT] = {DH_FAILURE_ASSERTION, ""},
	[DH_END_FAIL] = {DH_FAILURE_REPORTED, ""},
	[DH_END_DEADLOCK] = {DH_FAILURE_DEADLOCK, "threads wait for each other"},
	[DH_END_STUCK] = {DH_FAILURE_HANG, "no thread can go on"},
	[DH_END_LIVELOCK] = {DH_FAILURE_LIVELOCK, "the program runs on without an end"},
	[DH_END_HEAP] = {DH_FAILURE_HEAP, ""},
	[DH_END_OVERFLOW] = {DH_FAILURE_OVERFLOW, "a thread's stack is used up"},
	[DH_END_GIVEN_UP] = {DH_FAILURE_UNDECIDED, ""},
};

const char *dh_failure_name(enum dh_failure_kind kind)
{
	return names[kind];
}

int dh_shell_status(int s)
{
	return s < 0 ? -1 : WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
}

/* Control characters and what they leave between words become single spaces. */
static void one_line(char *s)
{
	char *to = s;

	for (const char *from = s; *from; from++) {
		bool plain = (unsigned char)*from > ' ' && *from != 127;

		if (plain)
			*to++ = *from;
		else if (to > s && to[-1] != ' ')
			*to++ = ' ';
	}
	*to = 0;
}

static void say(struct dh_fuzz_failure *f, const char *words, const char *text)
{
	snprintf(f->detail, sizeof(f->detail), "%.400s", *text || !words ? text : words);
	one_line(f->detail);
}

static void by_signal(int sig, struct dh_fuzz_failure *f)
{
	const char *abbreviation = sigabbrev_np(sig);

	f->kind = DH_FAILURE_CRASH;
	f->status = 128 + sig;
	snprintf(f->detail, sizeof(f->detail), "killed by SIG%s (%s)",
		abbreviation ? abbreviation : "?", strsignal(sig));
}

static void by_status(int status, const struct dh_baseline *base, struct dh_fuzz_failure *f)
{
	if (status == 0 || (base && base->known && status == base->status))
		return;
	f->kind = DH_FAILURE_EXIT;
	f->status = status;
	snprintf(f->detail, sizeof(f->detail), "exit status %d", status);
	if (base && base->known)
		snprintf(f->detail, sizeof(f->detail),
			"exit status %d, which is %d in the undisturbed run", status, base->status);
}

static void by_cut(const struct dh_run *r, struct dh_fuzz_failure *f)
{
	f->kind = DH_FAILURE_UNDECIDED;
	f->status = -1;
	switch (r->cut) {
	case DH_CUT_TIME:
		/* One that still moves may only be slow; one that stands still waits for ever. */
		f->kind = r->moving ? DH_FAILURE_UNDECIDED : DH_FAILURE_HANG;
		snprintf(f->detail, sizeof(f->detail), "%s after %.0f s",
			r->moving ? "still running" : "waits outside of the scheduler", r->seconds);
		break;
	case DH_CUT_OUTPUT:
		snprintf(f->detail, sizeof(f->detail), "writes without an end");
		break;
	case DH_CUT_STOP:
	case DH_CUT_NONE:
		snprintf(f->detail, sizeof(f->detail), "killed from outside");
		break;
	}
}

/* What the kernel says when the runtime had no chance to. */
static void by_wait(
	const struct dh_run *r, const struct dh_baseline *base, struct dh_fuzz_failure *f)
{
	if (r->cut != DH_CUT_NONE || r->status < 0)
		by_cut(r, f);
	else if (WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL)
		by_cut(r, f);
	else if (WIFSIGNALED(r->status))
		by_signal(WTERMSIG(r->status), f);
	else
		by_status(WEXITSTATUS(r->status), base, f);
}

static void by_output(
	const struct dh_run *r, const struct dh_baseline *base, struct dh_fuzz_failure *f)
{
	if (!base || !base->compare ||
		(r->output_hash == base->output_hash && r->output_size == base->output_size))
		return;
	f->kind = DH_FAILURE_OUTPUT;
	f->status = dh_shell_status(r->status);
	snprintf(f->detail, sizeof(f->detail),
		"the output differs from that of the undisturbed run");
}

/* What tells one failure from another: where it happened and what it said. */
static uint64_t key_of(const struct dh_run *r, const struct dh_fuzz_failure *f)
{
	const struct dh_sched_outcome *o = &r->outcome;
	uint64_t h;

	/* Words about the undisturbed run, or about a difference, are not the failure itself. */
	if (f->kind == DH_FAILURE_EXIT || f->kind == DH_FAILURE_OUTPUT)
		h = XXH3_64bits_withSeed(&f->status, sizeof(f->status), (uint64_t)f->kind);
	else
		h = XXH3_64bits_withSeed(f->detail, strlen(f->detail), (uint64_t)f->kind);
	if (o->end != DH_END_EXIT && o->end != DH_END_NONE)
		h = XXH3_64bits_withSeed(&o->pc, sizeof(o->pc), h);
	return h ? h : 1;
}

void dh_failure_of(
	const struct dh_run *run, const struct dh_baseline *base, struct dh_fuzz_failure *ret)
{
	const struct dh_sched_outcome *o = &run->outcome;
	struct dh_fuzz_failure f = {0};

	if (run->cut != DH_CUT_NONE || o->end == DH_END_NONE)
		by_wait(run, base, &f);
	else if (o->end == DH_END_EXIT)
		by_status(o->status & 0xff, base, &f);
	else if (o->end == DH_END_SIGNAL)
		by_signal(o->status & 0x7f, &f);
	else {
		f.kind = ends[o->end].kind;
		/* A run that the runtime ends has no status of its own. */
		f.status = o->end == DH_END_ASSERT     ? 128 + SIGABRT
			   : o->end == DH_END_OVERFLOW ? 128 + SIGSEGV
						       : 0;
		say(&f, ends[o->end].words, o->text);
	}
	if (f.kind == DH_FAILURE_NONE)
		by_output(run, base, &f);
	if (f.kind != DH_FAILURE_NONE)
		f.key = key_of(run, &f);
	*ret = f;
}
