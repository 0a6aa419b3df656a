#include "../unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/probe.h"

/* What a probe in its child tells the test, beside its result. */
static struct {
	pid_t grandchild;
	char folder[512];
} * shared;

static void good(struct dh_probe_result *r)
{
	dh_probe_says(r, DH_HEALTH_DEGRADED, "half of %d", 2);
	dh_probe_mend(r, "do %s", "more");
	if (!getcwd(shared->folder, sizeof(shared->folder)))
		_exit(1);
	close(open("litter", O_CREAT | O_WRONLY, 0600));
}

static void crash(struct dh_probe_result *r)
{
	dh_probe_says(r, DH_HEALTH_WORKS, "not to be believed");
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void leave(struct dh_probe_result *r)
{
	(void)r;
	_exit(0);
}

static void hang(struct dh_probe_result *r)
{
	pid_t pid = fork();

	(void)r;
	if (pid > 0)
		shared->grandchild = pid;
	for (;;)
		pause();
}

static struct dh_probe_result run(void (*fn)(struct dh_probe_result *), unsigned limit_ms)
{
	struct dh_probe p = {.id = "x", .title = "x", .limit_ms = limit_ms, .run = fn};
	struct dh_probe_result r;

	dh_probe_run(&p, &r);
	return r;
}

static void results_come_back(void **state)
{
	struct dh_probe_result r = run(good, 0);
	struct stat st;

	(void)state;
	assert_int_equal(r.health, DH_HEALTH_DEGRADED);
	assert_string_equal(r.detail, "half of 2");
	assert_string_equal(r.mend, "do more");
	assert_non_null(strstr(shared->folder, "deadheat-doctor-"));
	assert_int_equal(stat(shared->folder, &st), -1);
}

static void accidents_are_missing(void **state)
{
	struct dh_probe_result r = run(crash, 0);

	(void)state;
	assert_int_equal(r.health, DH_HEALTH_MISSING);
	assert_non_null(strstr(r.detail, "signal 11"));
	r = run(leave, 0);
	assert_int_equal(r.health, DH_HEALTH_MISSING);
	assert_string_equal(r.detail, "the attempt ended early");
	assert_true(r.mend[0]);
}

static void nothing_hangs(void **state)
{
	struct dh_probe_result r = run(hang, 200);

	(void)state;
	assert_int_equal(r.health, DH_HEALTH_MISSING);
	assert_non_null(strstr(r.detail, "no answer"));
	assert_true(r.seconds >= 0.2 && r.seconds < 5);
	assert_true(shared->grandchild > 0);
	assert_int_equal(kill(shared->grandchild, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void table_is_whole(void **state)
{
	size_t n;
	const struct dh_probe *p = dh_probes(&n);

	(void)state;
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		assert_true(p[i].id && p[i].title && p[i].commands && p[i].run);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(p[i].id, p[k].id);
	}
}

/* Every real probe, on whatever machine this is: it answers, and what does not work has a remedy.
 */
static void every_probe_answers(void **state)
{
	size_t n;
	const struct dh_probe *p = dh_probes(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct dh_probe_result r;

		dh_probe_run(&p[i], &r);
		print_message("%s: %s: %s\n", p[i].id, dh_health_name(r.health), r.detail);
		assert_true(r.detail[0]);
		assert_int_equal(r.health != DH_HEALTH_WORKS, r.mend[0] != '\0');
		assert_null(strstr(r.detail, "ended early"));
		assert_null(strstr(r.detail, "by signal"));
	}
}

static void tools_are_run(void **state)
{
	static const char *const echo[] = {"echo", "hello", NULL}, *const absent[] = {
									   "/no/such", NULL};
	static const char *const loud[] = {"sh", "-c", "yes | head -c 100000; exit 3", NULL};
	char out[64];

	(void)state;
	assert_int_equal(dh_probe_tool(echo, out, sizeof(out)), 0);
	assert_string_equal(out, "hello\n");
	assert_int_equal(dh_probe_tool(absent, out, sizeof(out)), -ENOENT);
	assert_int_equal(dh_probe_tool(loud, out, sizeof(out)), 3);
	assert_int_equal(strlen(out), sizeof(out) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_come_back),
		cmocka_unit_test(accidents_are_missing),
		cmocka_unit_test(nothing_hangs),
		cmocka_unit_test(table_is_whole),
		cmocka_unit_test(every_probe_answers),
		cmocka_unit_test(tools_are_run),
	};

	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
