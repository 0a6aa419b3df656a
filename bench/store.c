/* usage: bench_store FOLDER [FINDINGS]
 * Inserts synthetic findings in batches, inserts them all again as duplicates from another origin,
 * and asks for lists.  Only the store's own work is timed, not the making of the findings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "store/store.h"

#include "../tests/unit/gen.h"

/* Findings per transaction, and how many of them are made before the clock runs. */
#define BATCH 100000
#define CHUNK 1000

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(int ret, const struct dh_error *err)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "bench_store: %s\n", dh_error_text(err, ret));
	exit(3);
}

struct spent {
	double wall, cpu;
	struct timespec at[2];
};

static double since(clockid_t clock, struct timespec *at)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)(t.tv_sec - at->tv_sec) + (double)(t.tv_nsec - at->tv_nsec) / 1e9;
}

static void resume(struct spent *s)
{
	clock_gettime(CLOCK_MONOTONIC, &s->at[0]);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &s->at[1]);
}

static void pause_(struct spent *s)
{
	s->cpu += since(CLOCK_PROCESS_CPUTIME_ID, &s->at[1]);
	s->wall += since(CLOCK_MONOTONIC, &s->at[0]);
}

/* Puts n findings, a batch being opened and committed where due; returns how many are new. */
static uint64_t put_some(struct dh_store *s, struct dh_finding **f, size_t n, bool begin, bool end)
{
	struct dh_error err = DH_ERROR_INIT;
	uint64_t new_bugs = 0;

	if (begin)
		check(dh_store_begin(s, &err), &err);
	for (size_t i = 0; i < n; i++) {
		int ret = dh_store_put(s, f[i], &err);

		check(ret, &err);
		new_bugs += (uint64_t)ret;
	}
	if (end)
		check(dh_store_commit(s, &err), &err);
	return new_bugs;
}

static void put_all(struct dh_store *s, uint64_t n, uint64_t seed, const char *what)
{
	struct dh_finding *f[CHUNK];
	struct spent spent = {0};
	uint64_t new_bugs = 0;

	for (uint64_t at = 0; at < n; at += CHUNK) {
		size_t k = (size_t)DH_MIN(n - at, (uint64_t)CHUNK);

		for (size_t i = 0; i < k; i++)
			f[i] = gen_finding(at + i, &seed);
		resume(&spent);
		new_bugs +=
			put_some(s, f, k, at % BATCH == 0, (at + k) % BATCH == 0 || at + k == n);
		pause_(&spent);
		for (size_t i = 0; i < k; i++)
			dh_finding_free(f[i]);
	}
	printf("%-12s %" PRIu64 " findings, %" PRIu64
	       " new: %.0f per second, %.0f per CPU second\n",
		what, n, new_bugs, (double)n / spent.wall, (double)n / spent.cpu);
}

static void list(struct dh_store *s, const struct dh_store_query *q, const char *what)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store_cursor *c;
	struct dh_finding *f;
	double start = now();
	unsigned n = 0;
	int ret;

	check(dh_store_cursor_open(s, q, &c, &err), &err);
	while ((ret = dh_store_cursor_next(c, &f, &err)) > 0) {
		n++;
		dh_finding_free(f);
	}
	check(ret, &err);
	dh_store_cursor_free(c);
	printf("%-12s %u findings in %.2f ms\n", what, n, (now() - start) * 1000);
}

static void lists(const char *path)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store *s;
	uint64_t n = 0;
	double start = now();

	check(dh_store_open(path, DH_STORE_READ, &s, &err), &err);
	printf("%-12s %.2f ms\n", "open", (now() - start) * 1000);
	list(s, &(struct dh_store_query){.limit = 50}, "top 50");
	list(s, &(struct dh_store_query){.limit = 50, .kinds = 1u << DH_KIND_DEADLOCK}, "by kind");
	list(s, &(struct dh_store_query){.limit = 50, .levels = 1u << DH_LEVEL_PREDICTED},
		"by level");
	list(s, &(struct dh_store_query){.limit = 50, .origin = "scan"}, "by origin");
	list(s, &(struct dh_store_query){.limit = 50, .file = "file7.c"}, "by file");
	start = now();
	check(dh_store_count(s, &(struct dh_store_query){0}, &n, &err), &err);
	printf("%-12s %" PRIu64 " findings in %.2f ms\n", "count", n, (now() - start) * 1000);
	dh_store_close(s);
}

int main(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	DH_FREE char *path = NULL;
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
	struct dh_store *s;
	struct rusage usage;
	struct stat st;

	if (argc < 2 || !n) {
		fprintf(stderr, "usage: bench_store FOLDER [FINDINGS]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	path = dh_asprintf("%s/findings.db", argv[1]);
	check(dh_store_open(path, DH_STORE_CREATE, &s, &err), &err);
	put_all(s, n, 1, "insert");
	put_all(s, n, 2, "duplicates");
	dh_store_close(s);
	lists(path);
	getrusage(RUSAGE_SELF, &usage);
	printf("%-12s %ld MiB at most; the store has %lld MiB\n", "memory", usage.ru_maxrss / 1024,
		stat(path, &st) == 0 ? (long long)st.st_size >> 20 : 0LL);
	return 0;
}
