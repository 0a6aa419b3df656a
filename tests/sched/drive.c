/* usage: drive [options] -- PROGRAM [ARG]...
 * A small host for the scheduling runtime, for its tests: makes the control block, starts the
 * program with the runtime in front, runs schedules, and prints one line for each.
 *
 *   --runtime FILE     the shared library (required)
 *   --strategy NAME    calm random round pct pos race deadlock atomicity order
 *   --seed N --runs N  runs with seeds N, N+1, ...; --same: all with seed N
 *   --target ROLE:HEX  a target statement, as an offset in the program
 *   --direct           no server: one process for the run
 *   --replay           each run is followed by a replay of its log
 *   --depth N --length N --limit N --budget N --idle N --flags N --detect N
 *   --wall N           seconds until a run is killed (default 10)
 *   --predict          each run is followed by one with stacks; prints the candidates of that one
 *   --steps            prints the log
 *   --quiet            the program's output goes nowhere */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wire/sched.h"

#define STEPS 200000u

static struct dh_sched_ctl *ctl;
static int to_server = -1, from_server = -1;
static struct {
	const char *runtime;
	uint64_t seed, runs, wall;
	bool same, direct, replay, steps, quiet, predict;
} opt = {.seed = 1, .runs = 1, .wall = 10};

static const char *const strategies[] = {"calm", "random", "round", "pct", "pos", "race",
	"deadlock", "atomicity", "order", "replay"};
static const char *const roles[] = {"none", "race", "lock", "first", "second", "remote", "watch"};
static const char *const ends[] = {"none", "exit", "signal", "assert", "fail", "deadlock", "stuck",
	"livelock", "heap", "overflow", "given-up"};

static void die(const char *what)
{
	fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
	exit(3);
}

static uint32_t index_of(const char *const *names, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	fprintf(stderr, "drive: what is '%s'?\n", name);
	exit(2);
}

static int make_block(void)
{
	uint64_t steps = (sizeof(*ctl) + 4095) & ~4095ull;
	uint64_t in = steps + STEPS * sizeof(struct dh_sched_step);
	uint64_t threads = in + STEPS * sizeof(struct dh_sched_step);
	uint64_t candidates = threads + 1024 * sizeof(struct dh_sched_thread);
	uint64_t size = candidates + 1024 * sizeof(struct dh_sched_candidate);
	int fd = memfd_create("deadheat-sched", 0);

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		die("control block");
	ctl = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ctl == MAP_FAILED)
		die("control block");
	ctl->magic = DH_SCHED_MAGIC;
	ctl->version = DH_SCHED_VERSION;
	ctl->size = size;
	ctl->steps_offset = steps;
	ctl->steps_in_offset = in;
	ctl->steps_max = ctl->steps_in_max = STEPS;
	ctl->threads_offset = threads;
	ctl->threads_max = 1024;
	ctl->candidates_offset = candidates;
	ctl->candidates_max = 1024;
	ctl->server_in = ctl->server_out = -1;
	ctl->ask.cpu = -1;
	return fd;
}

static pid_t start(char **argv, int block)
{
	int in[2], out[2];
	char number[16];
	pid_t pid;

	if (pipe(in) != 0 || pipe(out) != 0)
		die("pipe");
	if (!opt.direct) {
		ctl->server_in = in[0];
		ctl->server_out = out[1];
	}
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(in[1]);
		close(out[0]);
		if (opt.quiet) {
			int null = open("/dev/null", O_WRONLY);

			dup2(null, 1);
			dup2(null, 2);
		}
		snprintf(number, sizeof(number), "%d", block);
		setenv(DH_SCHED_ENV, number, 1);
		setenv("LD_PRELOAD", opt.runtime, 1);
		personality(ADDR_NO_RANDOMIZE);
		execv(argv[0], argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	to_server = in[1];
	from_server = out[0];
	return pid;
}

static bool status_of(struct dh_sched_status *ret)
{
	struct pollfd p = {from_server, POLLIN, 0};
	int r = poll(&p, 1, (int)opt.wall * 1000);

	if (r == 0 && ctl->child) {
		kill(-(pid_t)ctl->child, SIGKILL);
		printf("killed after %llu seconds: ", (unsigned long long)opt.wall);
	}
	return read(from_server, ret, sizeof(*ret)) == sizeof(*ret);
}

static void print_steps(void)
{
	const struct dh_sched_step *s = (const void *)((char *)ctl + ctl->steps_offset);

	for (uint32_t i = 0; i < ctl->result.nsteps; i++)
		printf("  %u.%u -> %u op %u flags %#x object %u pc %#llx\n", s[i].thread,
			s[i].point, s[i].next, s[i].op, s[i].flags, s[i].object,
			(unsigned long long)s[i].pc - (unsigned long long)ctl->module[0].base);
}

static void print_waiters(void)
{
	const struct dh_sched_outcome *o = &ctl->outcome;

	for (uint32_t i = 0; i < o->nwaiters; i++)
		printf("  thread %u op %u object %u owner %d%s\n", o->waiter[i].thread,
			o->waiter[i].op, o->waiter[i].object,
			o->waiter[i].owned ? (int)o->waiter[i].owner : -1,
			o->waiter[i].in_cycle ? " cycle" : "");
}

/* Places in the program itself, which addr2line can turn into lines; others with their address. */
static void print_site(const struct dh_sched_site *s)
{
	const struct dh_sched_module *m = &ctl->module[0];
	bool own = s->pc >= m->low && s->pc < m->high;

	printf(" %s%#llx/T%u/%s%s%s%s%u/role%u/locks%u/stack%u", own ? "" : "*",
		(unsigned long long)(own ? s->pc - m->base : s->pc), s->thread,
		s->access & DH_SCHED_ATOMIC ? "a" : "", s->access & DH_SCHED_FREE ? "f" : "",
		s->access & DH_SCHED_RMW ? "u" : "", s->access & DH_SCHED_WRITE ? "w" : "r",
		s->size, s->role, s->nlocks, s->stack.count);
}

static void print_candidates(void)
{
	static const char *const kinds[] = {
		"none", "race", "deadlock", "atomicity", "order", "misuse"};
	const struct dh_sched_candidate *c = (const void *)((char *)ctl + ctl->candidates_offset);

	for (uint32_t i = 0; i < ctl->result.ncandidates; i++) {
		printf("candidate %s sub=%u score=%u hits=%u memory=%u alloc=%u block=%llu:",
			kinds[c[i].kind], c[i].sub, c[i].score, c[i].hits, c[i].memory,
			c[i].allocated.count, (unsigned long long)c[i].block_size);
		for (uint32_t k = 0; k < c[i].nsites; k++)
			print_site(&c[i].site[k]);
		printf("\n");
	}
	printf("granules %u lost %llu\n", ctl->ngranules,
		(unsigned long long)ctl->result.lost_history);
}

static void report(const char *what, int status)
{
	const struct dh_sched_result *r = &ctl->result;

	printf("%s seed=%llu hash=%016llx points=%llu switches=%llu preemptions=%llu threads=%u "
	       "hits=%llu released=%llu outside=%llu diverged=%llu lost=%llu idle=%llu ms=%llu "
	       "end=%s ",
		what, (unsigned long long)ctl->ask.seed, (unsigned long long)r->hash,
		(unsigned long long)r->points, (unsigned long long)r->switches,
		(unsigned long long)r->preemptions, r->nthreads, (unsigned long long)r->hits_total,
		(unsigned long long)r->released, (unsigned long long)r->outside,
		(unsigned long long)r->diverged, (unsigned long long)r->lost_steps,
		(unsigned long long)r->idle, (unsigned long long)(r->logical_time / 1000000),
		ends[ctl->outcome.end]);
	if (WIFSIGNALED(status))
		printf("signal=%d", WTERMSIG(status));
	else
		printf("exit=%d", WEXITSTATUS(status));
	printf(" text=%s\n", ctl->outcome.text);
	if (ctl->outcome.nwaiters)
		print_waiters();
	if (opt.steps)
		print_steps();
	fflush(stdout);
}

static bool run(const char *what, struct dh_sched_status *ret)
{
	uint32_t command = DH_SCHED_RUN;

	if (write(to_server, &command, sizeof(command)) != sizeof(command) || !status_of(ret))
		return false;
	report(what, ret->status);
	return true;
}

static bool run_and_replay(struct dh_sched_status *ret)
{
	struct dh_sched_ask ask = ctl->ask;

	if (!run("run", ret))
		return false;
	if (opt.predict) {
		ctl->ask.detect |= DH_DETECT_STACKS;
		if (!run("stacks", ret))
			return false;
		print_candidates();
		ctl->ask.detect &= ~(uint32_t)DH_DETECT_STACKS;
	}
	if (!opt.replay)
		return true;
	memcpy((char *)ctl + ctl->steps_in_offset, (char *)ctl + ctl->steps_offset,
		ctl->result.nsteps * sizeof(struct dh_sched_step));
	ctl->ask.nsteps = ctl->result.nsteps;
	ctl->ask.strategy = DH_SCHED_REPLAY;
	if (!run("replay", ret))
		return false;
	ctl->ask = ask;
	return true;
}

static int serve(void)
{
	struct dh_sched_status s = {0};

	if (!status_of(&s)) {
		fprintf(stderr, "drive: no server: the runtime is not there\n");
		return 3;
	}
	for (uint64_t i = 0; i < opt.runs; i++) {
		ctl->ask.seed = opt.seed + (opt.same ? 0 : i);
		if (!run_and_replay(&s)) {
			fprintf(stderr, "drive: the server is gone\n");
			return 3;
		}
	}
	return 0;
}

static void add_target(char *text)
{
	char *colon = strchr(text, ':');
	struct dh_sched_target *t = &ctl->target[ctl->ask.ntargets++];

	if (!colon)
		die(text);
	*colon = 0;
	t->role = (uint8_t)index_of(roles, 7, text);
	t->offset = strtoull(colon + 1, NULL, 16);
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {{"runtime", 1, NULL, 'r'},
		{"strategy", 1, NULL, 's'}, {"seed", 1, NULL, 'e'}, {"runs", 1, NULL, 'n'},
		{"same", 0, NULL, 'S'}, {"target", 1, NULL, 't'}, {"direct", 0, NULL, 'd'},
		{"replay", 0, NULL, 'p'}, {"depth", 1, NULL, 'D'}, {"length", 1, NULL, 'L'},
		{"limit", 1, NULL, 'l'}, {"budget", 1, NULL, 'b'}, {"flags", 1, NULL, 'f'},
		{"detect", 1, NULL, 'T'}, {"wall", 1, NULL, 'w'}, {"steps", 0, NULL, 'v'},
		{"quiet", 0, NULL, 'q'}, {"cpu", 1, NULL, 'c'}, {"predict", 0, NULL, 'P'},
		{"idle", 1, NULL, 'i'}, {0}};
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		uint64_t n = optarg ? strtoull(optarg, NULL, 0) : 0;

		if (o == 'r')
			opt.runtime = optarg;
		else if (o == 's')
			ctl->ask.strategy = index_of(strategies, 10, optarg);
		else if (o == 'e')
			opt.seed = n;
		else if (o == 'n')
			opt.runs = n;
		else if (o == 't')
			add_target(optarg);
		else if (o == 'D')
			ctl->ask.depth = (uint32_t)n;
		else if (o == 'L')
			ctl->ask.length = n;
		else if (o == 'l')
			ctl->ask.limit = n;
		else if (o == 'i')
			ctl->ask.idle = (uint32_t)n;
		else if (o == 'b')
			ctl->ask.budget = n;
		else if (o == 'f')
			ctl->ask.flags = (uint32_t)n;
		else if (o == 'T')
			ctl->ask.detect = (uint32_t)n;
		else if (o == 'c')
			ctl->ask.cpu = (int32_t)n;
		else if (o == 'w')
			opt.wall = n;
		else if (o == '?')
			exit(2);
		opt.same |= o == 'S';
		opt.direct |= o == 'd';
		opt.replay |= o == 'p';
		opt.steps |= o == 'v';
		opt.quiet |= o == 'q';
		opt.predict |= o == 'P';
	}
}

int main(int argc, char **argv)
{
	int block = make_block(), status = 0, r = 0;
	pid_t pid;

	parse(argc, argv);
	if (!opt.runtime || optind >= argc) {
		fprintf(stderr, "drive: --runtime FILE and -- PROGRAM are needed\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	ctl->ask.seed = opt.seed;
	pid = start(argv + optind, block);
	if (!opt.direct)
		r = serve();
	close(to_server);
	waitpid(pid, &status, 0);
	if (opt.direct)
		report("run", status);
	return r;
}
