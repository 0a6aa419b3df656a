/* Several servers of one program, driven by one thread: a batch of runs, as many at a time as there
 * are servers. */
#pragma once
#include "base/forward.h"

struct dh_order;
struct dh_run;
struct dh_server;
struct dh_server_options;
struct dh_pool;

/* Starts the first server; the others come when a batch needs them. */
int dh_pool_new(const struct dh_server_options *o, size_t servers, struct dh_pool **ret,
	struct dh_error *err);
void dh_pool_free(struct dh_pool *p);
/* The one for single runs. */
struct dh_server *dh_pool_first(struct dh_pool *p);
/* Modules by index, so that targets mean the same to all servers; borrowed. */
void dh_pool_modules(struct dh_pool *p, const char *const *paths, size_t n);

/* From now on a run is ended after so many seconds. */
void dh_pool_timeout(struct dh_pool *p, double seconds);

struct dh_pool_batch {
	uint64_t n; /* runs 0..n) */
	void *arg;
	/* What run i is to do; what it points to must live until the run is over. */
	void (*fill)(void *arg, uint64_t i, struct dh_order *ret);
	/* Run i is over; s holds what it left.  True: begin no more runs. */
	bool (*done)(void *arg, uint64_t i, struct dh_server *s, const struct dh_run *run);
};

/* 0, or -errno; -EINTR when the user stopped it. */
int dh_pool_run(struct dh_pool *p, const struct dh_pool_batch *b, struct dh_error *err);
/* One run on the first server; starts it again when it was killed. */
int dh_pool_one(
	struct dh_pool *p, const struct dh_order *order, struct dh_run *ret, struct dh_error *err);
