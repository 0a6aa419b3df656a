/* deadheat fuzz --replay: the schedule of a finding, once more. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/fuzz.h"
#include "fuzz/check.h"
#include "fuzz/input.h"
#include "fuzz/program.h"
#include "fuzz/replay.h"
#include "fuzz/schedule.h"
#include "store/store.h"

#define o dh_fuzz_opt

/* An option and its word, as a shell reads them. */
static void add_option(struct dh_buf *b, const char *name, const char *word)
{
	bool plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789-_./+,:") == strlen(word);

	dh_buf_addf(b, " %s %s", name, plain ? word : "'");
	for (; !plain && *word; word++) {
		if (*word == '\'')
			dh_buf_adds(b, "'\\''");
		else
			dh_buf_addc(b, *word);
	}
	dh_buf_adds(b, plain ? "" : "'");
}

char *dh_fuzz_replay_command(void)
{
	const char *path = dh_store_path(o.db);
	struct dh_buf b = DH_BUF_INIT;

	dh_buf_adds(&b, "deadheat fuzz");
	if (strcmp(path, DH_STORE_DEFAULT) != 0)
		add_option(&b, "--db", path);
	if (o.check)
		add_option(&b, "--check", o.check);
	dh_buf_adds(&b, " --replay");
	return dh_buf_steal(&b);
}

static int read_schedule(
	const struct dh_finding *f, struct dh_fuzz_schedule *ret, struct dh_error *err)
{
	if (!f->schedule)
		return dh_error_set(err, ENODATA,
			"finding %s has no schedule yet: 'deadheat fuzz --from-store -- PROGRAM' "
			"looks for one",
			f->id);
	return dh_fuzz_schedule_read(f->schedule, ret, err);
}

static void warn_of_changes(const struct dh_fuzz_schedule *s, const struct dh_program *p,
	const struct dh_fuzz_input *in)
{
	if (s->program_hash && dh_program_hash(p) != s->program_hash)
		dh_log_warn("%s has changed since the schedule was found, which may not fit it any "
			    "more",
			p->path);
	if (!o.gdb && (s->input_hash != in->hash || s->input_size != in->size))
		dh_log_warn(
			"standard input is not the one that the schedule was found with (%" PRIu64
			" bytes)",
			s->input_size);
}

/* 1: the failure, or the race, is there again. */
static int tell(const struct dh_fuzz_schedule *s, const struct dh_again *a)
{
	const struct dh_sched_result *r = &a->run.result;

	dh_write_full(STDOUT_FILENO, dh_buf_str(&a->output), a->output.len);
	dh_write_full(STDERR_FILENO, dh_buf_str(&a->errors), a->errors.len);
	if (dh_failed(&a->failure))
		dh_log_info("%s: %s%s", dh_failure_name(a->failure.kind), a->failure.detail,
			a->as_before || !s->failure ? "" : " (another failure than before)");
	else if (s->failure == DH_CHECK_KEY && !o.check)
		dh_log_warn("the failure was one of a --check: give that command again");
	else if (s->failure)
		dh_log_warn("the program did not fail this time");
	else if (r->hits_total)
		dh_log_info("the statements met %" PRIu64 " times; the program did not fail",
			r->hits_total);
	if (r->diverged)
		dh_log_warn("%" PRIu64 " entries of the schedule did not fit the run", r->diverged);
	dh_log_info("schedule %016" PRIx64 ": %" PRIu64 " switches, %" PRIu64
		    " of them preemptions, among %" PRIu64 " points",
		r->hash, r->switches, r->preemptions, r->points);
	return dh_failed(&a->failure) || (!s->failure && r->hits_total) ? DH_EXIT_FINDINGS
									: DH_EXIT_OK;
}

static int run_again(const struct dh_fuzz_schedule *s, const struct dh_program *p,
	char *const *argv, const struct dh_finding *f, struct dh_error *err)
{
	struct dh_fuzz_input in = DH_FUZZ_INPUT_INIT;
	struct dh_again *a;
	int r = s->input_size && !o.gdb ? dh_fuzz_input_take(STDIN_FILENO, &in, err) : 0;

	if (r < 0)
		return r;
	warn_of_changes(s, p, &in);
	a = dh_new(struct dh_again);
	if (o.gdb)
		r = dh_fuzz_gdb(s, p, argv, f, err);
	else
		r = dh_fuzz_run_again(s, p, argv, in.fd, o.timeout, o.check, a, err);
	if (r == 0 && !o.gdb)
		r = tell(s, a);
	dh_again_release(a);
	free(a);
	dh_fuzz_input_release(&in);
	return r;
}

int dh_fuzz_replay(char **argv, int argc, struct dh_error *err)
{
	struct dh_fuzz_schedule s = {0};
	struct dh_finding *f = NULL;
	struct dh_program p;
	int r = dh_store_get_from(dh_store_path(o.db), o.replay, &f, err);

	if (r == 0)
		r = read_schedule(f, &s, err);
	if (r == 0)
		r = dh_program_look(argc > 0 ? argv[0] : s.program, &p, err);
	if (r == 0)
		r = run_again(&s, &p, argc > 0 ? argv : NULL, f, err);
	dh_fuzz_schedule_release(&s);
	dh_finding_free(f);
	return r;
}
