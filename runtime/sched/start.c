/* From the load of the library to the first instruction of main: the control block, the server that
 * forks a child for each run, and the start of a run. */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/syscall.h"
#include "common/text.h"
#include "deadheat.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

/* Descriptors of the server are kept where no program looks. */
#define HIGH_FD 900
#define LIMIT   10000000
/* A patient program looks at a flag a million times before it blocks: the calm run, which shows how
 * patient this one is, waits for that. */
#define IDLE           20000
#define IDLE_CALM      8000000
#define PATIENCE       1000000
#define BUDGET         20000
#define TIME           1700000000
#define TIMEOUT_CHOICE 100000000ull

struct dh_sched_ctl *dh_ctl;
bool dh_active;
uint8_t dh_watch[DH_WATCH_SIZE];
DH_TLS struct dh_thread *dh_self;
struct dh_core dh_core;
uint32_t dh_threads_before_main;
uint32_t dh_fork_depth;

static int (*program_main)(int, char **, char **);

DH_EXPORT const char *deadheat_runtime(void)
{
	return "sched";
}

/* -- the control block */

static bool acceptable(struct dh_sched_ctl *c, uint64_t size)
{
	c->runtime_version = DH_SCHED_VERSION;
	if (c->magic != DH_SCHED_MAGIC || c->version != DH_SCHED_VERSION || c->size != size)
		return false;
	return __sync_bool_compare_and_swap(&c->claimed, 0, (uint32_t)rt_getpid());
}

static struct dh_sched_ctl *map_block(int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
		st.st_size < (off_t)sizeof(struct dh_sched_ctl))
		return NULL;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (acceptable(p, (uint64_t)st.st_size))
		return p;
	munmap(p, (size_t)st.st_size);
	return NULL;
}

static int move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

	if (high < 0)
		return fd;
	rt_syscall1(SYS_close, fd);
	return high;
}

static __attribute__((constructor(101))) void load(void)
{
	const char *value = getenv(DH_SCHED_ENV);
	int fd;

	dh_real_init();
	dh_fork_start();
	if (!value)
		return;
	fd = (int)rt_text_number(&value);
	if (fd < 0 || *value)
		return;
	dh_ctl = map_block(fd);
	if (!dh_ctl)
		return;
	unsetenv(DH_SCHED_ENV);
	rt_syscall1(SYS_close, fd);
	if (dh_ctl->server_in >= 0) {
		dh_ctl->server_in = move_high(dh_ctl->server_in);
		dh_ctl->server_out = move_high(dh_ctl->server_out);
	}
}

/* -- modules: where the targets are */

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static struct dh_sched_module *module_row(const char *path)
{
	uint32_t n = dh_ctl->result.nmodules;

	for (uint32_t i = 0; i < DH_SCHED_MODULES_MAX; i++) {
		if (i < n || dh_ctl->module[i].path[0] || i == 0) {
			if (same(dh_ctl->module[i].path, path))
				return &dh_ctl->module[i];
			continue;
		}
		rt_text_copy(dh_ctl->module[i].path, DH_SCHED_NAME_MAX, path);
		return &dh_ctl->module[i];
	}
	return NULL;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct dh_sched_module *m = module_row(info->dlpi_name ? info->dlpi_name : "");
	uint32_t place;

	if (!m)
		return 0;
	place = (uint32_t)(m - dh_ctl->module);
	if (place >= dh_ctl->result.nmodules)
		dh_ctl->result.nmodules = place + 1;
	m->base = info->dlpi_addr;
	m->low = UINT64_MAX;
	m->high = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uint64_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		m->low = low < m->low ? low : m->low;
		m->high = low + info->dlpi_phdr[i].p_memsz > m->high
				  ? low + info->dlpi_phdr[i].p_memsz
				  : m->high;
	}
	return 0;
}

static unsigned long long modules_added;

static int count_modules(struct dl_phdr_info *info, size_t size, void *ret)
{
	*(unsigned long long *)ret = info->dlpi_adds;
	return 1;
}

void dh_directed_resolve_modules(void)
{
	dl_iterate_phdr(count_modules, &modules_added);
	dl_iterate_phdr(add_module, NULL);
	for (uint32_t i = 0; i < dh_ctl->ask.ntargets && i < DH_SCHED_TARGETS_MAX; i++) {
		struct dh_sched_target *t = &dh_ctl->target[i];
		const struct dh_sched_module *m = &dh_ctl->module[t->module % DH_SCHED_MODULES_MAX];

		t->pc = m->high ? m->base + t->offset : 0;
	}
}

void dh_directed_look_for_modules(void)
{
	unsigned long long added = 0;

	dl_iterate_phdr(count_modules, &added);
	if (added == modules_added)
		return;
	dh_directed_resolve_modules();
	dh_directed_add_targets();
}

/* -- a run */

static void defaults(struct dh_sched_ask *ask)
{
	if (ask->strategy >= DH_SCHED_STRATEGY_COUNT)
		ask->strategy = DH_SCHED_CALM;
	ask->limit = ask->limit ? ask->limit : LIMIT;
	if (!ask->idle)
		ask->idle = ask->strategy == DH_SCHED_CALM ? IDLE_CALM : IDLE;
	ask->patience = ask->patience ? ask->patience : PATIENCE;
	ask->budget = ask->budget ? ask->budget : BUDGET;
	ask->time = ask->time ? ask->time : TIME;
	ask->timeout_choice = ask->timeout_choice ? ask->timeout_choice : TIMEOUT_CHOICE;
	ask->depth = ask->depth ? ask->depth : 1;
}

/* With one thread at a time, passing the turn is fastest on one processor. */
static void stay_on(int cpu)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	rt_syscall3(SYS_sched_setaffinity, 0, sizeof(set), &set);
}

/* Other threads go on while the program exits and until the process is gone: they may use what
 * main, an exit handler or a destructor has torn down. */
static void let_others_go_on(void)
{
	if (dh_active && dh_fork_depth == 0 && dh_scheduled(dh_self))
		dh_sched_point(DH_OP_EXIT, NULL, 0);
}

static void at_exit(int status, void *unused)
{
	dh_exit_status = status;
	let_others_go_on();
}

int dh_exit_status;

static void start_run(void)
{
	defaults(&dh_ctl->ask);
	stay_on(dh_ctl->ask.cpu);
	dh_directed_resolve_modules();
	dh_strategy_start();
	dh_directed_start();
	dh_hot_start();
	dh_log_start();
	dh_end_start();
	dh_signal_start();
	dh_trap_start();
	dh_detect_start();
	on_exit(at_exit, NULL);
	dh_thread_start_main();
	dh_active = true;
}

/* Runs behind the program's own exit handlers. */
static __attribute__((destructor)) void unload(void)
{
	let_others_go_on();
	dh_end_exit(dh_exit_status);
}

/* -- the server */

static void clear_results(void)
{
	volatile uint64_t *p = (volatile uint64_t *)&dh_ctl->result;

	for (size_t i = 0; i < sizeof(dh_ctl->result) / 8; i++)
		p[i] = 0;
	p = (volatile uint64_t *)&dh_ctl->outcome;
	for (size_t i = 0; i < offsetof(struct dh_sched_outcome, waiter) / 8; i++)
		p[i] = 0;
	dh_ctl->outcome.text[0] = 0;
	dh_ctl->child = 0;
}

static bool transfer(int fd, void *p, size_t size, long call)
{
	long r;

	do
		r = rt_syscall3(call, fd, p, size);
	while (r == -EINTR);
	return r == (long)size;
}

static bool tell(uint32_t pid, int32_t status)
{
	struct dh_sched_status s = {pid, status};

	return transfer(dh_ctl->server_out, &s, sizeof(s), SYS_write);
}

/* What a run left behind (daemons) is the server's child now: it goes, too. */
static void reap_rest(void)
{
	char path[64], list[4096];
	struct rt_text t;
	const char *p = list;
	long n, fd;

	if (rt_syscall4(SYS_wait4, -1, NULL, WNOHANG, NULL) < 0)
		return;
	rt_text_init(&t, path, sizeof(path));
	rt_text_add(&t, "/proc/self/task/");
	rt_text_add_number(&t, (uint64_t)rt_gettid());
	rt_text_add(&t, "/children");
	fd = rt_syscall4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	n = rt_syscall3(SYS_read, fd, list, sizeof(list) - 1);
	rt_syscall1(SYS_close, fd);
	list[n > 0 ? n : 0] = 0;
	for (int64_t pid; (pid = rt_text_number(&p)) > 0; p += *p == ' ') {
		rt_syscall2(SYS_kill, pid, SIGKILL);
		rt_syscall4(SYS_wait4, pid, NULL, 0, NULL);
	}
}

static void become_run(void)
{
	rt_syscall2(SYS_setpgid, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dh_ctl->child = (uint32_t)rt_getpid();
	rt_syscall1(SYS_close, dh_ctl->server_in);
	rt_syscall1(SYS_close, dh_ctl->server_out);
}

/* Returns in the child of each run; the server itself never does. */
static void serve(void)
{
	uint32_t command;
	int32_t status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!tell((uint32_t)rt_getpid(), 0))
		rt_syscall1(SYS_exit_group, 0);
	while (transfer(dh_ctl->server_in, &command, sizeof(command), SYS_read) &&
		command == DH_SCHED_RUN) {
		pid_t pid;

		clear_results();
		pid = dh_real()->fork();
		if (pid == 0) {
			become_run();
			return;
		}
		status = 0;
		while (pid > 0 && rt_syscall4(SYS_wait4, pid, &status, 0, NULL) == -EINTR)
			;
		reap_rest();
		if (!tell(pid > 0 ? (uint32_t)pid : 0, pid > 0 ? status : -errno))
			break;
	}
	rt_syscall1(SYS_exit_group, 0);
}

static int run_main(int argc, char **argv, char **environment)
{
	if (!dh_ctl)
		return program_main(argc, argv, environment);
	if (dh_ctl->server_in >= 0 && dh_threads_before_main > 0) {
		rt_text_copy(dh_ctl->note, sizeof(dh_ctl->note),
			"the program starts threads before main: each schedule needs a new "
			"process");
		dh_ctl->no_server = 1;
		tell(0, 0);
		become_run();
	} else if (dh_ctl->server_in >= 0) {
		serve();
	} else {
		clear_results();
		dh_ctl->child = (uint32_t)rt_getpid();
	}
	start_run();
	return program_main(argc, argv, environment);
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
	void (*)(void), void *);
start_main __libc_start_main;

DH_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
	void (*init)(void), void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	start_main *real = (start_main *)dh_real_symbol("__libc_start_main");

	program_main = main;
	return real(run_main, argc, argv, init, fini, rtld_fini, stack_end);
}
