/* Reports of ThreadSanitizer as gcc and clang write them. */
#include "../unit.h"

#include <stdio.h>

#include "fuzz/tsanlog.h"
#include "model/finding.h"
#include "model/findings.h"

static const char gcc_race[] =
	"before\n==================\n"
	"WARNING: ThreadSanitizer: data race (pid=12)\n"
	"  Write of size 8 at 0x0000004040 by thread T2 (mutexes: write M9, read M3):\n"
	"    #0 clerk /src/bank.c:18 (bank+0x120f)\n"
	"\n"
	"  Previous atomic read of size 8 at 0x0000004040 by main thread:\n"
	"    #0 memcpy ../../../libsanitizer/sanitizer_common/interceptors.inc:827 "
	"(libtsan.so.2+0x5)\n"
	"    #1 audit /src/bank.c:30 (bank+0x1300)\n"
	"    #2 main /src/bank.c:44 (bank+0x1400)\n"
	"\n"
	"  Location is global 'balance' of size 8 at 0x0000004040 (bank+0x4040)\n"
	"\n"
	"  Thread T2 (tid=14, running) created by main thread at:\n"
	"    #0 pthread_create ../../../libsanitizer/tsan/x.cpp:969 (libtsan.so.2+0x605b8)\n"
	"    #1 main /src/bank.c:40 (bank+0x1269)\n"
	"\n"
	"SUMMARY: ThreadSanitizer: data race /src/bank.c:18 in clerk\n"
	"==================\n";

static const char clang_race[] =
	"WARNING: ThreadSanitizer: data race (pid=7)\n"
	"  Read of size 4 at 0x7b04 by thread T1:\n"
	"    #0 Pool::take(unsigned long, char const*) /usr/bin/../src/./pool.cc:9:12 (pool+0xc1) "
	"(BuildId: ab12)\n"
	"  Previous write of size 4 at 0x7b04 by thread T2:\n"
	"    #0 Pool::put() pool.cc:15:3 (pool+0xd1) (BuildId: ab12)\n"
	"  Location is heap block of size 16 at 0x7b04 allocated by main thread:\n"
	"    #0 operator new(unsigned long) <null> (pool+0x11)\n"
	"    #1 main pool.cc:30:8 (pool+0x12)\n";

static const char cycle[] =
	"WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=9)\n"
	"  Cycle in lock order graph: M1 (0x10) => M2 (0x20) => M1\n"
	"\n"
	"  Mutex M2 acquired here while holding mutex M1 in thread T1:\n"
	"    #0 pthread_mutex_lock <null> (a+0x9)\n"
	"    #1 left a.c:10 (a+0x10)\n"
	"\n"
	"    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning "
	"message\n"
	"\n"
	"  Mutex M1 acquired here while holding mutex M2 in thread T2:\n"
	"    #0 pthread_mutex_lock <null> (a+0x9)\n"
	"    #1 right a.c:20 (a+0x20)\n"
	"\n";

static void test_gcc(void **state)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	const struct dh_finding *f;
	struct dh_tsan_log log;

	dh_tsan_log_read(gcc_race, sizeof(gcc_race) - 1, &found, &log);
	assert_int_equal(log.reports, 1);
	assert_int_equal(found.n, 1);
	f = found.items[0];
	assert_int_equal(f->kind, DH_KIND_DATA_RACE);
	assert_int_equal(f->level, DH_LEVEL_OBSERVED);
	assert_string_equal(f->title, "data race on 'balance' between clerk and audit");
	assert_int_equal(f->n_sites, 2);
	assert_string_equal(f->sites[0].at.file, "/src/bank.c");
	assert_int_equal(f->sites[0].at.line, 18);
	assert_string_equal(f->sites[0].at.module, "bank");
	assert_int_equal(f->sites[0].at.offset, 0x120f);
	assert_int_equal(f->sites[0].access.kind, DH_ACCESS_WRITE);
	assert_int_equal(f->sites[0].access.size, 8);
	assert_int_equal(f->sites[0].n_locks, 2);
	assert_string_equal(f->sites[0].locks[1], "M3");
	assert_int_equal(f->sites[0].created.n, 1);
	assert_int_equal(f->sites[0].created.frames[0].line, 40);
	assert_true(f->sites[1].access.atomic);
	assert_string_equal(f->sites[1].who, "main thread");
	assert_string_equal(f->sites[1].at.function, "audit");
	assert_int_equal(f->sites[1].stack.n, 2);
}

static void test_clang(void **state)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	const struct dh_finding *f;
	struct dh_tsan_log log;

	dh_tsan_log_read(clang_race, sizeof(clang_race) - 1, &found, &log);
	assert_int_equal(found.n, 1);
	f = found.items[0];
	assert_string_equal(f->sites[0].at.function, "Pool::take(unsigned long, char const*)");
	assert_string_equal(f->sites[0].at.file, "/usr/src/./pool.cc");
	assert_int_equal(f->sites[0].at.line, 9);
	assert_int_equal(f->sites[0].at.column, 12);
	assert_int_equal(f->sites[1].at.offset, 0xd1);
	assert_int_equal(f->allocated.n, 2);
}

static void test_cycle(void **state)
{
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	const struct dh_finding *f;
	struct dh_tsan_log log;

	dh_tsan_log_read(cycle, sizeof(cycle) - 1, &found, &log);
	assert_int_equal(found.n, 1);
	f = found.items[0];
	assert_int_equal(f->kind, DH_KIND_DEADLOCK);
	assert_int_equal(f->level, DH_LEVEL_PREDICTED);
	assert_int_equal(f->sites[0].at.line, 10);
	assert_int_equal(f->sites[1].at.line, 20);
	assert_string_equal(f->sites[1].locks[0], "M2");
	assert_string_equal(f->sites[1].order, "waits for M1");
}

/* Reports that say too little are counted, the same one is taken once, other text is nothing. */
static void test_counts(void **state)
{
	static const char cut[] = "WARNING: ThreadSanitizer: data race (pid=7)\n"
				  "  Read of size 4 at 0x7b04 by thread T1:\n"
				  "    #0 take pool.cc:9:12 (pool+0xc1)\n";
	static const char other[] = "WARNING: ThreadSanitizer: thread leak (pid=7)\n  #0 x y:1\n";
	DH_FINDINGS struct dh_findings found = DH_FINDINGS_INIT;
	struct dh_tsan_log log;
	char all[8000];

	snprintf(all, sizeof(all), "%s%s%s%s%s", gcc_race, cut, other, cycle, gcc_race);
	dh_tsan_log_read(all, strlen(all), &found, &log);
	assert_int_equal(log.reports, 5);
	assert_int_equal(log.taken, 2);
	assert_int_equal(log.damaged, 1);
	assert_int_equal(log.other, 1);
	dh_tsan_log_read("#0 a b:1\n  Write of size 8\n", 27, &found, &log);
	assert_int_equal(log.reports, 0);
	assert_int_equal(found.n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
