/* Writers that are killed, and writers that compete. */
#include "../unit.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "helper.h"

#define KILLS 200
#define BATCH 5

/* Says each committed batch to the parent, which may kill it at any moment. */
static void endless_writer(int out, uint64_t first)
{
	struct dh_store *s;
	uint64_t seed = first;

	if (dh_store_open(in_dir("killed.db"), DH_STORE_CREATE, &s, NULL) < 0)
		_exit(1);
	for (uint64_t bug = first;; bug += BATCH) {
		if (dh_store_begin(s, NULL) < 0)
			_exit(1);
		for (uint64_t i = 0; i < BATCH; i++) {
			struct dh_finding *f = gen_finding(bug + i, &seed);

			if (dh_store_put(s, f, NULL) < 0)
				_exit(1);
			dh_finding_free(f);
		}
		if (dh_store_commit(s, NULL) < 0 || write(out, &bug, sizeof(bug)) != sizeof(bug))
			_exit(1);
	}
}

/* Lets a writer commit a few batches, or none, and a random moment later kills it; returns the
 * first bug that it did not say it committed.  Counting batches rather than time keeps the test
 * honest on a slow machine. */
static uint64_t run_and_kill(uint64_t first, uint64_t *seed)
{
	uint64_t bug, next = first, batches = gen_below(seed, 8);
	struct timespec nap = {0, (long)gen_below(seed, 3000000)};
	int fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(fds[0]);
		endless_writer(fds[1], first);
	}
	close(fds[1]);
	while (batches-- && dh_read_full(fds[0], &bug, sizeof(bug)) == sizeof(bug))
		next = bug + BATCH;
	nanosleep(&nap, NULL);
	kill(pid, SIGKILL);
	while (dh_read_full(fds[0], &bug, sizeof(bug)) == sizeof(bug))
		next = bug + BATCH;
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	return next;
}

static void assert_has(struct dh_store *s, uint64_t from, uint64_t to)
{
	uint64_t seed = 1;

	for (uint64_t bug = from; bug < to; bug++) {
		struct dh_finding *f = gen_finding(bug, &seed), *g = NULL;

		assert_ok(dh_store_get(s, f->fingerprint, &g, err));
		assert_string_equal(g->variable, f->variable);
		dh_finding_free(f);
		dh_finding_free(g);
	}
}

static void killed_writers_lose_nothing(void **state)
{
	uint64_t seed = (uint64_t)time(NULL), next = 0, last, useful = 0;
	struct dh_store *s;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < KILLS; i++) {
		uint64_t first = next;

		next = run_and_kill(first, &seed);
		useful += next > first;
		s = open_store("killed.db", DH_STORE_CREATE);
		assert_has(s, first, next);
		/* A batch is there as a whole or not at all. */
		assert_int_equal(count_all(s) % BATCH, 0);
		/* One more than was said may be there: killed between the commit and the word. */
		last = count_all(s);
		assert_true(last >= next && last <= next + BATCH);
		dh_store_close(s);
		next = last;
	}
	assert_intact("killed.db");
	s = open_store("killed.db", DH_STORE_READ);
	assert_has(s, 0, next);
	dh_store_close(s);
	/* Otherwise the writers were killed too early to prove anything. */
	print_message("%llu findings, %llu useful rounds\n", (unsigned long long)next,
		(unsigned long long)useful);
	assert_true(useful >= KILLS / 2);
}

#define WRITERS 6
#define EACH    120

static void compete(int who)
{
	struct dh_store *s;
	struct dh_error err = DH_ERROR_INIT;
	uint64_t seed = (uint64_t)who;

	/* All of them may find no store and make it. */
	if (dh_store_open(in_dir("shared/findings.db"), DH_STORE_CREATE, &s, &err) < 0) {
		fprintf(stderr, "writer %d: %s\n", who, err.text);
		_exit(1);
	}
	for (uint64_t i = 0; i < EACH; i++) {
		/* Half of the bugs are everybody's, half are this writer's own. */
		uint64_t bug = i % 2 ? i : (uint64_t)(who + 1) * 1000 + i;
		struct dh_finding *f = gen_finding(bug, &seed);

		if (dh_store_put(s, f, &err) < 0) {
			fprintf(stderr, "writer %d: %s\n", who, err.text);
			_exit(1);
		}
		dh_finding_free(f);
	}
	dh_store_close(s);
	_exit(0);
}

static void writers_compete(void **state)
{
	pid_t pids[WRITERS];
	struct dh_store *s;
	int status;

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0)
			compete(i);
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	s = open_store("shared/findings.db", DH_STORE_READ);
	assert_int_equal(count_all(s), EACH / 2 + WRITERS * EACH / 2);
	dh_store_close(s);
	assert_intact("shared/findings.db");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_writers_lose_nothing),
		cmocka_unit_test(writers_compete),
	};

	return cmocka_run_group_tests_name("store/kill", tests, make_dir, remove_dir);
}
