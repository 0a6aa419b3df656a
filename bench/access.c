/* What an instrumented access costs, and what stands around it: accesses that repeat and that walk
 * through memory, calls, locks, the heap, memcpy().  Processor time of the thread, so that a busy
 * machine says the same.  Twice: in the main thread, and in one that meets its traces. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ACCESSES 20000000L
#define LOCKS    1000000L
#define BLOCKS   500000L
#define COPIES   100000L
#define WORDS    65536

static volatile int memory[WORDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept;
static volatile long sink;

/* Not clock_gettime(): that tells the logical time of a schedule. */
static double now(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void same(long n)
{
	for (long i = 0; i < n; i++)
		memory[0] = (int)i;
}

static void walk(long n)
{
	for (long i = 0; i < n; i++)
		sink = memory[i % WORDS];
}

static __attribute__((noinline)) int leaf(long i)
{
	return memory[i % 1024];
}

static void calls(long n)
{
	int sum = 0;

	for (long i = 0; i < n; i++)
		sum += leaf(i);
	sink = sum;
}

static void locks(long n)
{
	for (long i = 0; i < n; i++) {
		pthread_mutex_lock(&mutex);
		memory[0]++;
		pthread_mutex_unlock(&mutex);
	}
}

static void blocks(long n)
{
	for (long i = 0; i < n; i++) {
		char *p = malloc(32 + (size_t)i % 64);

		kept = p;
		p[0] = 1;
		free(kept);
	}
}

static void copies(long n)
{
	static char from[4096], to[4096];

	for (long i = 0; i < n; i++) {
		memcpy(to, from, sizeof(to));
		kept = to;
	}
}

static const struct {
	const char *name;
	void (*run)(long);
	long n;
} kinds[] = {
	{"access, the same", same, ACCESSES},
	{"access, walking", walk, ACCESSES},
	{"call and access", calls, ACCESSES},
	{"lock and unlock", locks, LOCKS},
	{"malloc and free", blocks, BLOCKS},
	{"memcpy of 4096", copies, COPIES},
};

static void *measure(void *where)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		double start = now();

		kinds[i].run(kinds[i].n);
		fprintf(stderr, "%s, %s\t%.2f\n", kinds[i].name, (char *)where,
			(now() - start) / (double)kinds[i].n);
	}
	return NULL;
}

static void memory_used(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "VmHWM: %ld", &kb) == 1)
			fprintf(stderr, "memory, in MB\t%.1f\n", (double)kb / 1024);
	}
	if (f)
		fclose(f);
}

int main(void)
{
	pthread_t t;

	measure("main thread");
	pthread_create(&t, NULL, measure, "other thread");
	pthread_join(t, NULL);
	memory_used();
	return 0;
}
