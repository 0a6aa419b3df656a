#include "fuzz/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "fuzz/server.h"

#define MAX_SERVERS 256
/* A program that kills its own server again and again cannot be tested. */
#define MAX_RESTARTS 20

struct slot {
	struct dh_server *server;
	bool busy;
	uint64_t run;
};

struct dh_pool {
	struct dh_server_options o;
	const char *const *modules;
	size_t n_modules;
	struct slot *slots;
	size_t n;
	unsigned restarts;
	struct dh_run run; /* large: not on the stack */
};

int dh_pool_new(const struct dh_server_options *o, size_t servers, struct dh_pool **ret,
	struct dh_error *err)
{
	struct dh_pool *p = dh_new(struct dh_pool);
	int r;

	p->o = *o;
	p->n = DH_MAX(1, DH_MIN(servers, MAX_SERVERS));
	p->slots = dh_zalloc(p->n * sizeof(*p->slots));
	r = dh_server_start(o, &p->slots[0].server, err);
	if (r < 0) {
		dh_pool_free(p);
		return r;
	}
	*ret = p;
	return 0;
}

void dh_pool_free(struct dh_pool *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++)
		dh_server_free(p->slots[i].server);
	free(p->slots);
	free(p);
}

struct dh_server *dh_pool_first(struct dh_pool *p)
{
	return p->slots[0].server;
}

static void tell_modules(struct dh_pool *p, struct dh_server *s)
{
	for (size_t i = 0; i < p->n_modules; i++)
		dh_block_module(dh_server_block(s), p->modules[i]);
}

void dh_pool_modules(struct dh_pool *p, const char *const *paths, size_t n)
{
	p->modules = paths;
	p->n_modules = n;
	for (size_t i = 0; i < p->n; i++) {
		if (p->slots[i].server)
			tell_modules(p, p->slots[i].server);
	}
}

void dh_pool_timeout(struct dh_pool *p, double seconds)
{
	p->o.timeout = seconds;
	for (size_t i = 0; i < p->n; i++) {
		if (p->slots[i].server)
			dh_server_timeout(p->slots[i].server, seconds);
	}
}

static int ensure(struct dh_pool *p, struct slot *s, struct dh_error *err)
{
	int r;

	if (s->server)
		return 0;
	r = dh_server_start(&p->o, &s->server, err);
	if (r == 0)
		tell_modules(p, s->server);
	return r;
}

/* The server is gone; the run that it had is lost and is not tried again. */
static int restart(struct dh_pool *p, struct slot *s, struct dh_error *err)
{
	dh_server_free(s->server);
	s->server = NULL;
	s->busy = false;
	if (++p->restarts > MAX_RESTARTS)
		return dh_error_set(err, EPIPE,
			"the program under test keeps killing the process that starts it");
	return ensure(p, s, err);
}

static int begin(struct dh_pool *p, struct slot *s, const struct dh_pool_batch *b, uint64_t i,
	struct dh_error *err)
{
	struct dh_order order = {0};
	int r = ensure(p, s, err);

	if (r < 0)
		return r;
	b->fill(b->arg, i, &order);
	r = dh_server_begin(s->server, &order, err);
	s->busy = r == 0;
	s->run = i;
	return r == -EPIPE ? restart(p, s, err) : r;
}

/* 1: the batch shall end early. */
static int look_after(
	struct dh_pool *p, struct slot *s, const struct dh_pool_batch *b, struct dh_error *err)
{
	int r = dh_server_poll(s->server, &p->run, err);

	if (r == -EPIPE)
		return restart(p, s, err);
	if (r <= 0)
		return r;
	s->busy = false;
	return b->done(b->arg, s->run, s->server, &p->run);
}

static size_t wait_for_any(struct dh_pool *p)
{
	struct pollfd fds[MAX_SERVERS];
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->slots[i].busy)
			fds[n++] = (struct pollfd){dh_server_fd(p->slots[i].server), POLLIN, 0};
	}
	if (n)
		poll(fds, n, DH_SERVER_TICK);
	return n;
}

int dh_pool_run(struct dh_pool *p, const struct dh_pool_batch *b, struct dh_error *err)
{
	uint64_t next = 0;
	bool end = false;
	int r = 0;

	for (;;) {
		for (size_t i = 0; r >= 0 && i < p->n && !end && next < b->n; i++) {
			if (!p->slots[i].busy && !dh_server_stopped())
				r = begin(p, &p->slots[i], b, next++, err);
		}
		if (r < 0 || !wait_for_any(p))
			break;
		for (size_t i = 0; r >= 0 && i < p->n; i++) {
			if (!p->slots[i].busy)
				continue;
			r = look_after(p, &p->slots[i], b, err);
			end |= r > 0;
		}
	}
	if (r >= 0 && dh_server_stopped())
		return dh_error_set(err, EINTR, "interrupted");
	return DH_MIN(r, 0);
}

int dh_pool_one(
	struct dh_pool *p, const struct dh_order *order, struct dh_run *ret, struct dh_error *err)
{
	struct slot *s = &p->slots[0];
	int r = ensure(p, s, err);

	if (r == 0)
		r = dh_server_run(s->server, order, ret, err);
	if (r == -EPIPE) {
		r = restart(p, s, err);
		if (r == 0)
			r = dh_server_run(s->server, order, ret, err);
	}
	if (r == 0 && dh_server_stopped())
		return dh_error_set(err, EINTR, "interrupted");
	return r;
}
