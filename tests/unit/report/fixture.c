#include "fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/finding.h"

#define T0 INT64_C(1767225600) /* 2026-01-01 */
#define EVIL                                                                                       \
	"</script><img src=x onerror=\"document.title='owned'\">&amp;'\"\x1b[31m\xff\xc3\n\r\t"    \
	"\xe2\x80\xae"                                                                             \
	"end"

static struct dh_frame frame(const char *function, const char *file, uint32_t line, uint64_t offset)
{
	return (struct dh_frame){.function = function,
		.file = file,
		.line = line,
		.module = "/srv/app/queue",
		.build_id = "8d1f0c",
		.offset = offset};
}

static void step(struct dh_finding *f, const char *lane, enum dh_step_kind kind, const char *label,
	const char *file, uint32_t line, int site)
{
	struct dh_step s = {lane, kind, label, file, line, site};

	dh_finding_add_step(f, &s);
}

static void evidence(struct dh_finding *f, enum dh_level level, const char *by, int64_t when,
	const char *budget, uint64_t tries, uint64_t hits, const char *reproduce)
{
	struct dh_evidence e = {.level = level,
		.by = by,
		.when = when,
		.budget = budget,
		.tries = tries,
		.hits = hits,
		.reproduce = reproduce};

	if (dh_finding_add_evidence(f, &e) < 0)
		abort();
}

static void race_sites(struct dh_finding *f)
{
	struct dh_frame writer[] = {
		frame("queue_pop", "queue.c", 18, 0x11f4), frame("worker", "queue.c", 25, 0x1240)};
	struct dh_frame reader[] = {
		frame("queue_pop", "queue.c", 14, 0x11a9), frame("worker", "queue.c", 25, 0x1240)};
	struct dh_frame created[] = {frame("main", "queue.c", 36, 0x12c8)};
	const char *locks[] = {"q->lock"};
	struct dh_site a = {.role = "first",
		.at = writer[0],
		.text = "\tint item = q->items[--q->count];",
		.access = {DH_ACCESS_UPDATE, 8, false, true, 1, 0},
		.who = "thread 1 (worker)",
		.locks = locks,
		.n_locks = 1,
		.stack = {writer, 2},
		.created = {created, 1},
		.order = "runs between the other thread's look and its lock"};
	struct dh_site b = {.role = "second",
		.at = reader[0],
		.text = "\tif (q->count == 0)",
		.access = {DH_ACCESS_READ, 8, false, false, 0, 0},
		.who = "thread 2 (worker)",
		.stack = {reader, 2},
		.created = {created, 1}};

	a.at.column = 24;
	dh_finding_add_site(f, &a);
	dh_finding_add_site(f, &b);
}

static void race_steps(struct dh_finding *f)
{
	static const char *const t0 = "main", *const t1 = "thread 1 (worker)",
				 *const t2 = "thread 2 (worker)";

	step(f, t0, DH_STEP_CREATE, "create thread 1", "queue.c", 36, -1);
	step(f, t0, DH_STEP_CREATE, "create thread 2", "queue.c", 36, -1);
	step(f, t2, DH_STEP_ACCESS, "read 8 q->count", "queue.c", 14, 1);
	step(f, t1, DH_STEP_ACCESS, "read 8 q->count", "queue.c", 14, -1);
	step(f, t1, DH_STEP_LOCK, "lock q->lock", "queue.c", 16, -1);
	step(f, t2, DH_STEP_WAIT, "wait for q->lock", "queue.c", 16, -1);
	step(f, t1, DH_STEP_ACCESS, "update 8 q->count", "queue.c", 18, 0);
	step(f, t1, DH_STEP_UNLOCK, "unlock q->lock", "queue.c", 19, -1);
	step(f, t2, DH_STEP_LOCK, "lock q->lock", "queue.c", 16, -1);
	step(f, t2, DH_STEP_FAILURE, "assertion failed", "queue.c", 17, -1);
}

struct dh_finding *fixture_race(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);
	struct dh_frame allocated[] = {
		frame("calloc", NULL, 0, 0x4f0), frame("main", "queue.c", 32, 0x128a)};
	struct dh_stack stack = {allocated, 2};

	allocated[0].module = "/usr/lib/libc.so.6";
	dh_finding_set_title(f, "unordered update and read of 'q->count' in queue_pop");
	f->variable = dh_finding_strdup(f, "q->count");
	f->object = dh_finding_strdup(f, "heap block of 64 bytes allocated in main");
	dh_stack_copy(&f->arena, &f->allocated, &stack);
	f->score = 7.5;
	dh_finding_add_reason(f, "written in 2 threads");
	dh_finding_add_reason(f, "only object in its critical section 4 times");
	race_sites(f);
	race_steps(f);
	evidence(f, DH_LEVEL_PREDICTED, "scan", T0, NULL, 0, 0, NULL);
	evidence(f, DH_LEVEL_CONFIRMED, "fuzz", T0 + 3600, "{\"seeds\":100}", 100, 97,
		"deadheat fuzz --replay 1f3a --seed 17 -- ./queue");
	evidence(f, DH_LEVEL_HARMFUL, "fuzz", T0 + 3700, "{\"seeds\":100}", 100, 41,
		"deadheat fuzz --replay 1f3a --seed 42 -- ./queue");
	f->failure = (struct dh_failure){dh_finding_strdup(f, "assertion"),
		dh_finding_strdup(f, "queue.c:17: queue_pop: Assertion `q->count > 0' failed."),
		134};
	f->schedule = dh_finding_strdup(f, "v1:42:0012");
	f->mend = dh_finding_strdup(f, "Let queue_pop hold the lock of the queue.");
	dh_finding_seal(f);
	return f;
}

static void lock_site(
	struct dh_finding *f, const char *role, const char *who, uint32_t line, const char *held)
{
	struct dh_frame at[] = {frame("transfer", "bank.c", line, 0x1190 + line),
		frame("main", "bank.c", 32, 0x1302)};
	struct dh_site s = {.role = role,
		.at = at[0],
		.text = line == 14 ? "\tpthread_mutex_lock(&from->lock);"
				   : "\tpthread_mutex_lock(&to->lock);",
		.who = who,
		.locks = &held,
		.n_locks = held ? 1 : 0,
		.stack = {at, 2}};

	dh_finding_add_site(f, &s);
}

struct dh_finding *fixture_deadlock(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DEADLOCK);

	dh_finding_set_title(f, "a.lock and b.lock are taken in both orders");
	f->score = 5;
	dh_finding_add_reason(f, "the circle has 2 locks");
	lock_site(f, "holds", "thread main", 14, NULL);
	lock_site(f, "wants", "thread main", 15, "a.lock");
	lock_site(f, "holds", "thread back", 14, NULL);
	lock_site(f, "wants", "thread back", 15, "b.lock");
	step(f, "thread main", DH_STEP_LOCK, "lock a.lock", "bank.c", 14, 0);
	step(f, "thread back", DH_STEP_LOCK, "lock b.lock", "bank.c", 14, 2);
	step(f, "thread main", DH_STEP_WAIT, "wait for b.lock", "bank.c", 15, 1);
	step(f, "thread back", DH_STEP_WAIT, "wait for a.lock", "bank.c", 15, 3);
	evidence(f, DH_LEVEL_PREDICTED, "scan", T0 + 60, NULL, 0, 0, NULL);
	dh_finding_seal(f);
	return f;
}

struct dh_finding *fixture_signal(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_SIGNAL_RACE);
	struct dh_site a = {.role = "interrupted",
		.at = frame("add", "alarm.c", 13, 0x1170),
		.text = "\t\tlist = realloc(list, room * sizeof(*list));",
		.access = {DH_ACCESS_WRITE, 8, false, false, 0, 0},
		.who = "thread 1 (main)"};
	struct dh_site b = {.role = "handler",
		.at = frame("add", "alarm.c", 15, 0x1188),
		.text = "\tlist[used++] = v;",
		.access = {DH_ACCESS_WRITE, 4, false, true, 0, UINT64_MAX - 13},
		.who = "handler of SIGALRM"};

	dh_finding_set_title(f, "handler of SIGALRM grows 'list' while main is growing it");
	f->variable = dh_finding_strdup(f, "list");
	f->score = 6.25;
	dh_finding_add_reason(f, "the handler calls realloc, which is not async-signal-safe");
	dh_finding_add_site(f, &a);
	dh_finding_add_site(f, &b);
	step(f, "thread 1 (main)", DH_STEP_SYSCALL, "realloc: mremap", "alarm.c", 13, -1);
	step(f, "handler of SIGALRM", DH_STEP_SIGNAL, "SIGALRM", NULL, 0, -1);
	step(f, "handler of SIGALRM", DH_STEP_ACCESS, "write 4 list[used]", "alarm.c", 15, 1);
	step(f, "thread 1 (main)", DH_STEP_ACCESS, "write 8 list", "alarm.c", 13, 0);
	evidence(f, DH_LEVEL_CONFIRMED, "explore", T0 + 7200, "{\"flips\":12,\"time\":1.5}", 12, 3,
		"deadheat explore --replay 77aa.trace --flip 3");
	dh_finding_seal(f);
	return f;
}

struct dh_finding *fixture_process(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_PROCESS_RACE);
	static const char *const p1 = "process 2 (sh single.sh)",
				 *const p2 = "process 3 (sh single.sh)";
	struct dh_site a = {.role = "check",
		.at = {.file = "single.sh", .line = 4},
		.text = "if [ -e \"$pidfile\" ]; then",
		.access = {DH_ACCESS_READ, 0, false, false, 0, 0},
		.who = p2};
	struct dh_site b = {.role = "use",
		.at = {.file = "single.sh", .line = 8},
		.text = "echo $$ >\"$pidfile\"",
		.access = {DH_ACCESS_WRITE, 0, false, false, 0, 0},
		.who = p1};

	dh_finding_set_title(f, "service.pid is tested by one process and created by another");
	f->object = dh_finding_strdup(f, "service.pid");
	f->score = 4;
	dh_finding_add_site(f, &a);
	dh_finding_add_site(f, &b);
	step(f, p1, DH_STEP_SYSCALL, "stat service.pid = ENOENT", "single.sh", 4, -1);
	step(f, p2, DH_STEP_SYSCALL, "stat service.pid = ENOENT", "single.sh", 4, 0);
	step(f, p1, DH_STEP_SYSCALL, "open service.pid O_CREAT", "single.sh", 8, 1);
	step(f, p2, DH_STEP_SYSCALL, "open service.pid O_CREAT", "single.sh", 8, -1);
	evidence(f, DH_LEVEL_BENIGN, "explore", T0 + 9000, NULL, 4, 4,
		"deadheat explore --replay pid.trace --flip 1");
	dh_finding_seal(f);
	return f;
}

struct dh_finding *fixture_hostile(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_ATOMICITY_VIOLATION);
	struct dh_frame at = {EVIL, EVIL ".c", 3, 4, EVIL, EVIL, UINT64_MAX, true};
	const char *locks[] = {EVIL};
	struct dh_site s = {.role = EVIL,
		.at = at,
		.text = EVIL,
		.access = {DH_ACCESS_READ, 4, true, true, 0, UINT64_MAX},
		.who = EVIL,
		.locks = locks,
		.n_locks = 1,
		.stack = {&at, 1},
		.created = {&at, 1},
		.order = EVIL};
	struct dh_evidence e = {.level = DH_LEVEL_OBSERVED,
		.by = EVIL,
		.when = INT64_MAX,
		.budget = "{\""
			  "</script>"
			  "\": [[[[[[[[[[1]]]]]]]]]]}",
		.tries = UINT64_MAX,
		.hits = 1,
		.reproduce = EVIL,
		.note = EVIL};

	dh_finding_set_title(f, "%s", EVIL);
	f->variable = dh_finding_strdup(f, EVIL);
	f->object = dh_finding_strdup(f, EVIL);
	f->schedule = dh_finding_strdup(f, EVIL);
	f->mend = dh_finding_strdup(f, EVIL);
	f->failure = (struct dh_failure){f->variable, f->variable, -1};
	f->score = 1.0 / 3;
	f->suppressed = true;
	dh_finding_add_reason(f, "%s", EVIL);
	dh_finding_add_site(f, &s);
	s.at.file = "/dev/zero";
	dh_finding_add_site(f, &s);
	step(f, EVIL, DH_STEP_ACCESS, EVIL, EVIL, 1, 0);
	step(f, "other", DH_STEP_ACCESS, EVIL, EVIL, 1, 1);
	if (dh_finding_add_evidence(f, &e) < 0)
		abort();
	dh_finding_seal(f);
	return f;
}

struct dh_finding *fixture_bare(void)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_LOCK_MISUSE);

	dh_finding_seal(f);
	return f;
}
