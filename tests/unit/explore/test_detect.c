/* Recordings told by hand, and the races in them: each has a twin in which something orders the
 * two calls, and which must stay silent. */
#include "story.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/error.h"
#include "explore/branch.h"
#include "explore/enforcer.h"

static void over(struct dh_history *h, struct dh_races *races)
{
	dh_races_release(races);
	dh_history_free(h);
}

/* One removes a name, the other one opens it; with `waits_first` only after the first has ended. */
static void remove_and_open(bool waits_first, bool same_name, size_t expected)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	begin(&s);
	call(&s, 2, SYS_unlink, 0, ref_path("/d/db", 7));
	if (waits_first) {
		ends(&s, 2);
		waits(&s, 1, 102, 2);
		forks(&s, 1, 4);
	}
	call(&s, waits_first ? 4 : 3, SYS_openat, -2,
		ref_path(same_name ? "/d/db" : "/d/other", 0));
	h = finish(&s, &races);
	assert_int_equal(races.n, expected);
	if (expected) {
		const struct dh_race *r = between(h, &races, SYS_unlink, SYS_openat);
		struct dh_branch b;

		assert_non_null(r);
		assert_int_equal(r->what, DH_RACE_NAME);
		assert_string_equal(h->objects[r->object].name, "/d/db");
		assert_int_equal(dh_branch_make(&h->order, r, NULL, 0, &b), 0);
		dh_branch_release(&b);
	}
	over(h, &races);
}

static void names_race(void **state)
{
	(void)state;
	remove_and_open(false, true, 1);
	remove_and_open(false, false, 0);
	remove_and_open(true, true, 0);
}

/* A directory that one makes, and a file in it that the other one opens. */
static void directories_on_the_way_count(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	call(&s, 2, SYS_mkdir, 0, ref_path("/d/obj", 0));
	call(&s, 3, SYS_openat, 3, ref_path("/d/obj/a.o", 9));
	h = finish(&s, &races);
	assert_non_null(between(h, &races, SYS_mkdir, SYS_openat));
	over(h, &races);
}

static void open_file(struct story *s, uint32_t task, int fd, uint64_t ino)
{
	struct dh_ev_ref new = ref_fd(DH_REF_NEW, fd, S_IFREG | 0644, ino);

	told(s, task,
		(struct dh_ev_call){.nr = SYS_openat,
			.arg = {0, 0, O_RDWR},
			.result = fd,
			.n_refs = 2,
			.refs = {ref_path("/d/f", ino), new}});
}

static void at_file(struct story *s, uint32_t task, int64_t nr, uint64_t arg1, uint64_t arg2)
{
	told(s, task,
		(struct dh_ev_call){.nr = nr,
			.arg = {3, arg1, arg2},
			.result = nr == SYS_flock ? 0 : (int64_t)arg2,
			.n_refs = 1,
			.refs = {ref_fd(DH_REF_FD, 3, S_IFREG | 0644, 5)}});
}

static void write_and_read(bool locked, bool expected)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	begin(&s);
	for (uint32_t task = 2; task <= 3; task++) {
		open_file(&s, task, 3, 5);
		if (locked)
			at_file(&s, task, SYS_flock, LOCK_EX, 0);
		at_file(&s, task, task == 2 ? SYS_write : SYS_read, 0, 10);
		if (locked)
			at_file(&s, task, SYS_flock, LOCK_UN, 0);
	}
	h = finish(&s, &races);
	assert_int_equal(between(h, &races, SYS_write, SYS_read) != NULL, expected);
	over(h, &races);
}

static void bytes_race_unless_locked(void **state)
{
	(void)state;
	write_and_read(false, true);
	write_and_read(true, false);
}

static void on_pipe(struct story *s, uint32_t task, int64_t nr, int fd, int64_t n)
{
	told(s, task,
		(struct dh_ev_call){.nr = nr,
			.arg = {(uint64_t)fd, 0, 64},
			.result = n,
			.n_refs = 1,
			.refs = {ref_fd(DH_REF_FD, fd, S_IFIFO | 0600, 77)}});
}

/* What goes through a pipe orders the names around it. */
static void pipes_order(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	s.dir = scratch_new();
	s.w = open_writer(s.dir, 0);
	told(&s, 1, (struct dh_ev_call){.nr = SYS_execve, .text = "parent"});
	told(&s, 1,
		(struct dh_ev_call){.nr = SYS_pipe2,
			.n_refs = 2,
			.refs = {ref_fd(DH_REF_NEW, 3, S_IFIFO | 0600, 77),
				ref_fd(DH_REF_NEW2, 4, S_IFIFO | 0600, 77)}});
	forks(&s, 1, 2);
	forks(&s, 1, 3);
	call(&s, 2, SYS_mkdir, 0, ref_path("/d/x", 0));
	on_pipe(&s, 2, SYS_write, 4, 5);
	on_pipe(&s, 3, SYS_read, 3, 5);
	call(&s, 3, SYS_stat, 0, ref_path("/d/x", 8));
	call(&s, 2, SYS_rmdir, 0, ref_path("/d/x", 8));
	h = finish(&s, &races);
	assert_null(between(h, &races, SYS_mkdir, SYS_stat));
	assert_non_null(between(h, &races, SYS_stat, SYS_rmdir));
	over(h, &races);
}

/* A wait for any of two children; and for one of them. */
static void waits_for_anybody_race(void **state)
{
	(void)state;
	for (int named = 0; named < 2; named++) {
		struct dh_races races;
		struct dh_history *h;
		struct story s;
		size_t n = 0;

		begin(&s);
		ends(&s, 2);
		waits(&s, 1, named ? 102 : -1, 2);
		ends(&s, 3);
		waits(&s, 1, named ? 103 : -1, 3);
		h = finish(&s, &races);
		for (size_t i = 0; i < races.n; i++)
			n += races.races[i].kind == DH_RACE_WAIT_WAKEUPS;
		assert_int_equal(n, named ? 0 : 1);
		over(h, &races);
	}
}

/* Two exclusive creations are made for being raced; after a removal they are in order. */
static void exclusive_creation_is_a_lock(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	call(&s, 2, SYS_mkdir, 0, ref_path("/d/lock", 0));
	call(&s, 2, SYS_creat, 3, ref_path("/d/shared", 0));
	call(&s, 2, SYS_rmdir, 0, ref_path("/d/lock", 9));
	call(&s, 3, SYS_mkdir, 0, ref_path("/d/lock", 0));
	call(&s, 3, SYS_unlink, 0, ref_path("/d/shared", 4));
	h = finish(&s, &races);
	assert_null(between(h, &races, SYS_creat, SYS_unlink));
	over(h, &races);
}

/* A recording that was made without descriptions is refused with the remedy. */
/* Calls that did not stop are told late: what they say of their place counts. */
static void told_late(struct story *s, uint32_t task, uint64_t nth, struct dh_ev_call c)
{
	struct dh_buf b = DH_BUF_INIT;

	c.entered = c.left = dh_trace_writer_next_seq(s->w) - 1; /* before what was told last */
	c.entered_nth = nth;
	c.left_nth = nth + 1;
	c.text = "";
	dh_ev_put_call(&b, &c);
	put(s, DH_EV_CALL, task, &b);
}

static void places_count(void **state)
{
	struct dh_ev_ref ref = ref_path("/d/db", 7);
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	call(&s, 1, SYS_stat, 0, ref_path("/d/else", 8));
	told_late(&s, 2, 20, (struct dh_ev_call){.nr = SYS_chmod, .n_refs = 1, .refs = {ref}});
	told_late(&s, 3, 10, (struct dh_ev_call){.nr = SYS_unlink, .n_refs = 1, .refs = {ref}});
	h = finish(&s, &races);
	assert_int_equal(h->n_calls, 6);
	assert_int_equal(h->calls[3].ev->nr, SYS_chmod); /* before the event in front of it */
	assert_int_equal(h->calls[4].ev->nr, SYS_stat);
	assert_int_equal(
		h->calls[5].ev->nr, SYS_unlink); /* the event in front of it is the chmod */
	over(h, &races);
}

/* Nobody is held for a call that touches what no other task does. */
static void private_calls_are_free(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct dh_branch b;
	struct story s;
	uint32_t *runs;

	(void)state;
	begin(&s);
	call(&s, 2, SYS_mkdir, 0, ref_path("/own/a", 0));
	call(&s, 2, SYS_rmdir, 0, ref_path("/own/a", 8));
	call(&s, 2, SYS_unlink, 0, ref_path("/d/db", 7));
	call(&s, 3, SYS_openat, -2, ref_path("/d/db", 0));
	call(&s, 3, SYS_mkdir, 0, ref_path("/other/a", 0));
	h = finish(&s, &races);
	dh_branch_make_kept(&h->order, &b);
	runs = dh_runs_find(h, &b);
	assert_int_equal(h->n_calls, 8);
	assert_int_equal(runs[3], 2);
	assert_int_equal(runs[4], 1);
	assert_int_equal(runs[5], 0); /* somebody waits for the end of it */
	assert_int_equal(runs[6], 0); /* this one */
	assert_int_equal(runs[7], 1);
	free(runs);
	dh_branch_release(&b);
	over(h, &races);
}

/* A call that was entered before the handler, and ended by it. */
static void interrupted(struct story *s, uint32_t task, int64_t nr, int sig, uint64_t mask)
{
	struct dh_ev_call c = {.nr = nr, .result = -EINTR, .text = ""};
	struct dh_buf b = DH_BUF_INIT;

	c.entered = dh_trace_writer_next_seq(s->w);
	struck_with(s, task, sig, mask);
	dh_ev_put_call(&b, &c);
	put(s, DH_EV_CALL, task, &b);
}

static size_t count_signals(const struct dh_races *races, bool late)
{
	size_t n = 0;

	for (size_t i = 0; i < races->n; i++)
		n += races->races[i].kind == DH_RACE_SIGNAL && races->races[i].late == late;
	return n;
}

/* Task 1 signals task 2 in its only call: the signal may come before that call, and behind it where
 * the call ends by itself. */
static void signal_in(int64_t nr, uint64_t mask, size_t earlier, size_t later)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	begin(&s);
	kills(&s, 1, 2, SIGUSR1);
	interrupted(&s, 2, nr, SIGUSR1, mask);
	h = finish(&s, &races);
	assert_int_equal(h->n_signals, 1);
	assert_true(h->signals[0].interrupted);
	assert_int_equal(count_signals(&races, true), earlier);
	assert_int_equal(count_signals(&races, false), later);
	for (size_t i = 0; i < races.n; i++) {
		struct dh_branch b;

		assert_int_equal(dh_branch_make(&h->order, &races.races[i], NULL, 0, &b), 0);
		assert_int_equal(
			h->calls[b.anchors[0]].ev->nr, races.races[i].late ? SYS_kill : nr);
		dh_branch_release(&b);
	}
	over(h, &races);
}

static void signals_in_calls_race(void **state)
{
	(void)state;
	signal_in(SYS_pause, 0, 1, 0);
	signal_in(SYS_rt_sigsuspend, 0, 1, 0);
	signal_in(SYS_clock_nanosleep, 0, 1, 1);
	signal_in(SYS_pselect6, 1ull << (SIGUSR2 - 1), 1, 1);
}

/* One that is blocked but for the call comes in that call, whenever it is sent. */
static void signals_that_are_let_in_do_not_come_earlier(void **state)
{
	(void)state;
	signal_in(SYS_pselect6, 1ull << (SIGUSR1 - 1), 0, 1);
	signal_in(SYS_rt_sigsuspend, 1ull << (SIGUSR1 - 1), 0, 0);
}

/* A wait that only looks. */
static void looks(struct story *s, uint32_t parent, int64_t result)
{
	told(s, parent,
		(struct dh_ev_call){
			.nr = SYS_wait4, .arg = {(uint64_t)-1, 0, WNOHANG}, .result = result});
}

static bool follows(const struct dh_history *h, uint32_t call, uint32_t earlier)
{
	size_t n;
	const uint32_t *deps = dh_porder_deps(&h->order, call, &n);

	for (size_t i = 0; i < n; i++)
		if (deps[i] == earlier)
			return true;
	return false;
}

/* Made again, a look must find what it found: it does not wait for anything by itself. */
static void looks_keep_their_order(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	looks(&s, 1, 0);   /* call 3 */
	ends(&s, 2);       /* 4 */
	looks(&s, 1, 102); /* 5 */
	ends(&s, 3);       /* 6 */
	looks(&s, 1, 0);   /* 7: before 6, and noted late */
	h = finish(&s, &races);
	assert_int_equal(h->n_calls, 8);
	assert_true(follows(h, 4, 3));
	assert_true(follows(h, 5, 4));
	assert_true(follows(h, 6, 5));
	assert_false(follows(h, 7, 6));
	for (size_t i = 0; i < races.n; i++)
		assert_int_equal(races.races[i].kind, DH_RACE_WAIT_WAKEUPS);
	over(h, &races);
}

/* Who looks because of SIGCHLD finds the child that sent it; that it might have been another one is
 * the race of the signal. */
static void looks_behind_their_signal_do_not_race(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	ends(&s, 2);
	interrupted(&s, 1, SYS_pselect6, SIGCHLD, 1ull << (SIGCHLD - 1));
	looks(&s, 1, 102);
	ends(&s, 3);
	h = finish(&s, &races);
	assert_int_equal(h->n_signals, 1);
	assert_int_equal(count_signals(&races, false), 1);
	for (size_t i = 0; i < races.n; i++)
		assert_int_equal(races.races[i].kind, DH_RACE_SIGNAL);
	over(h, &races);
}

/* SIGCHLD behind the wait for that child: what its parent does then comes later anyway. */
static void signals_behind_their_wait_do_not_race(void **state)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	(void)state;
	begin(&s);
	ends(&s, 2);
	waits(&s, 1, 102, 2);
	struck(&s, 1, SIGCHLD);
	call(&s, 1, SYS_stat, 0, ref_path("/d/else", 8));
	h = finish(&s, &races);
	assert_int_equal(h->n_signals, 1);
	assert_int_equal(count_signals(&races, true) + count_signals(&races, false), 0);
	over(h, &races);
}

/* Whether the parent's next call comes behind what its new child executes. */
static bool waits_for_exec(int64_t nr, uint64_t flags)
{
	struct dh_races races;
	struct dh_history *h;
	struct story s;
	bool before;

	begin(&s);
	clones(&s, 1, 4, nr, flags);                                         /* call 3 */
	told(&s, 4, (struct dh_ev_call){.nr = SYS_execve, .text = "child"}); /* 4 */
	call(&s, 1, SYS_stat, 0, ref_path("/d/else", 8));                    /* 5 */
	h = finish(&s, &races);
	assert_int_equal(h->n_calls, 6);
	before = dh_porder_before(&h->order, 4, 5);
	over(h, &races);
	return before;
}

static void who_has_lent_its_memory_waits(void **state)
{
	(void)state;
	assert_true(waits_for_exec(SYS_vfork, CLONE_VFORK | CLONE_VM));
	assert_false(waits_for_exec(SYS_fork, 0));
}

static void needs_descriptions(void **state)
{
	char *dir = scratch_new();
	struct dh_error err = {0};
	struct dh_history *h;

	(void)state;
	assert_int_equal(dh_trace_writer_close(open_writer(dir, 0), NULL), 0);
	assert_int_equal(dh_history_load(dir, &h, &err), -ENODATA);
	assert_non_null(strstr(err.text, "--calls"));
	scratch_free(dir);
}

/* One removes a name, the other one opens it.  What runs behind is a race of its own when both go
 * on with the name, and one changes it. */
static void remove_and_go_on(bool on, int64_t then, bool expected)
{
	const struct dh_race *r;
	struct dh_races races;
	struct dh_history *h;
	struct story s;

	begin(&s);
	call(&s, 2, SYS_unlink, 0, ref_path("/d/db", 7));
	if (on)
		call(&s, 2, SYS_readlink, -2, ref_path("/d/db", 0));
	call(&s, 3, SYS_openat, -2, ref_path("/d/db", 0));
	call(&s, 3, then, 0, ref_path("/d/db", 8));
	h = finish(&s, &races);
	r = between(h, &races, SYS_unlink, SYS_openat);
	assert_non_null(r);
	assert_int_equal(dh_race_goes_on(h, r), expected);
	over(h, &races);
}

static void what_follows_is_seen(void **state)
{
	(void)state;
	remove_and_go_on(true, SYS_unlink, true);
	remove_and_go_on(false, SYS_unlink, false);
	remove_and_go_on(true, SYS_readlink, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_race),
		cmocka_unit_test(directories_on_the_way_count),
		cmocka_unit_test(bytes_race_unless_locked),
		cmocka_unit_test(pipes_order),
		cmocka_unit_test(waits_for_anybody_race),
		cmocka_unit_test(exclusive_creation_is_a_lock),
		cmocka_unit_test(places_count),
		cmocka_unit_test(private_calls_are_free),
		cmocka_unit_test(what_follows_is_seen),
		cmocka_unit_test(signals_in_calls_race),
		cmocka_unit_test(signals_that_are_let_in_do_not_come_earlier),
		cmocka_unit_test(signals_behind_their_wait_do_not_race),
		cmocka_unit_test(looks_keep_their_order),
		cmocka_unit_test(looks_behind_their_signal_do_not_race),
		cmocka_unit_test(who_has_lent_its_memory_waits),
		cmocka_unit_test(needs_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
