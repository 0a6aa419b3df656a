/* What an event costs the recorder: the CPU time of dh_trace_writer_add() alone (the caller's side,
 * at a pace that the writer's thread can follow), and how fast the whole way to the disk and back
 * is when the caller does nothing else. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/meta.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define POOL   (1u << 20) /* the events are taken from here */
#define ROUND  (4u << 20)
#define ROUNDS 20

struct load {
	const char *name;
	uint64_t events;
	size_t len;
	bool random; /* does not compress */
};

static const struct load loads[] = {
	{"registers and result (64 bytes)", 4000000, 64, false},
	{"small reads (200 bytes, text)", 2000000, 200, false},
	{"pages (4 KiB, text)", 100000, 4096, false},
	{"pages (4 KiB, random)", 100000, 4096, true},
	{"large reads (1 MiB, text)", 400, 1u << 20, false},
};

static double clock_now(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Text-like: words that repeat with small changes, as system calls' results do. */
static void fill(uint8_t *p, size_t n, bool any)
{
	uint64_t x = 88172645463325252;

	for (size_t i = 0; i < n; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		p[i] = any ? (uint8_t)x
			   : (uint8_t) "the quick brown fox 0123456789"[(x >> 20) % 30];
	}
}

static int check(int r, const struct dh_error *err, const char *what)
{
	if (r < 0) {
		fprintf(stderr, "%s: %s\n", what, dh_error_text(err, r));
		exit(3);
	}
	return r;
}

static double read_back(const char *dir, uint64_t events)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_trace_reader *r;
	struct dh_trace_event e;
	double start = clock_now(CLOCK_MONOTONIC);
	uint64_t n = 0;

	check(dh_trace_reader_open(dir, &r, &err), &err, "open");
	while (check(dh_trace_reader_next(r, &e, &err), &err, "read"))
		n++;
	dh_trace_reader_free(r);
	if (n != events)
		exit(3);
	return clock_now(CLOCK_MONOTONIC) - start;
}

static struct dh_trace_writer *open_writer(const char *dir)
{
	struct dh_trace_meta m = {.argv = (char *[]){(char *)"bench", NULL}, .cwd = (char *)"/"};
	struct dh_trace_writer *w;
	struct dh_error err = DH_ERROR_INIT;

	dh_trace_machine_init(&m.machine, "v", "m", "f", 1, 1);
	check(dh_trace_writer_open(dir, &m, 0, &w, &err), &err, "open");
	dh_trace_machine_release(&m.machine);
	return w;
}

static void add_some(struct dh_trace_writer *w, const struct load *l, const uint8_t *data,
	uint64_t from, uint64_t n)
{
	for (uint64_t i = from; i < from + n; i++) {
		struct iovec part = {(void *)(data + i * l->len % POOL), l->len};

		check(dh_trace_writer_add(w, (uint16_t)(i % 7), (uint32_t)(i % 3), &part, 1), NULL,
			"add");
	}
}

/* CPU seconds that the caller's thread spends per event, in rounds that fit the queue. */
static double cost_of_add(const struct load *l, const uint8_t *data, const char *dir)
{
	struct dh_trace_writer *w = open_writer(dir);
	uint64_t round = DH_MAX(ROUND / l->len, 1u);
	double spent = 0;

	for (int i = 0; i <= ROUNDS; i++) {
		double start = clock_now(CLOCK_THREAD_CPUTIME_ID);

		add_some(w, l, data, (uint64_t)i * round, round);
		/* The first round gets its memory from the system. */
		if (i)
			spent += clock_now(CLOCK_THREAD_CPUTIME_ID) - start;
		check(dh_trace_writer_flush(w), NULL, "flush");
	}
	check(dh_trace_writer_close(w, NULL), NULL, "close");
	dh_remove_tree(dir);
	return spent / (double)(round * ROUNDS);
}

static void run(const struct load *l, const char *dir)
{
	DH_FREE uint8_t *data = dh_alloc(POOL + l->len);
	double start, whole, back, mib = (double)l->events * (double)l->len / (1 << 20), cost;
	struct dh_trace_writer_stats s;
	struct dh_trace_writer *w;

	fill(data, POOL + l->len, l->random);
	cost = cost_of_add(l, data, dir);
	w = open_writer(dir);
	start = clock_now(CLOCK_MONOTONIC);
	add_some(w, l, data, 0, l->events);
	check(dh_trace_writer_flush(w), NULL, "flush");
	whole = clock_now(CLOCK_MONOTONIC) - start;
	dh_trace_writer_stats(w, &s);
	check(dh_trace_writer_close(w, NULL), NULL, "close");
	back = read_back(dir, l->events);
	printf("%-32s add %8.0f ns; to disk %6.2f M events/s, %5.0f MiB/s, stored as %3.0f %%; "
	       "back %5.0f MiB/s\n",
		l->name, cost * 1e9, (double)l->events / whole / 1e6, mib / whole,
		100.0 * (double)s.stored_bytes / (double)s.raw_bytes, mib / back);
	dh_remove_tree(dir);
}

int main(int argc, char **argv)
{
	char dir[256];

	snprintf(dir, sizeof(dir), "%s/recording", argc > 1 ? argv[1] : ".");
	for (size_t i = 0; i < DH_ARRAY_SIZE(loads); i++)
		run(&loads[i], dir);
	return 0;
}
