#include "fuzz/block.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define PAGE 4096u

static uint64_t take(uint64_t *end, uint64_t n, size_t size)
{
	uint64_t here = *end;

	*end += (n * size + PAGE - 1) / PAGE * PAGE;
	return here;
}

/* Where everything is.  Never read back from the block: the program may have changed it. */
struct layout {
	uint64_t steps_in, steps, candidates, threads, size;
};

static struct layout lay_out(void)
{
	struct layout l = {0};

	take(&l.size, 1, sizeof(struct dh_sched_ctl));
	l.steps_in = take(&l.size, DH_BLOCK_STEPS_IN, sizeof(struct dh_sched_step));
	l.steps = take(&l.size, DH_BLOCK_STEPS, sizeof(struct dh_sched_step));
	l.candidates = take(&l.size, DH_BLOCK_CANDIDATES, sizeof(struct dh_sched_candidate));
	l.threads = take(&l.size, DH_SCHED_THREADS_MAX, sizeof(struct dh_sched_thread));
	return l;
}

static void fill_head(struct dh_sched_ctl *c)
{
	struct layout l = lay_out();

	c->magic = DH_SCHED_MAGIC;
	c->version = DH_SCHED_VERSION;
	c->size = l.size;
	c->server_in = -1;
	c->server_out = -1;
	c->steps_in_offset = l.steps_in;
	c->steps_in_max = DH_BLOCK_STEPS_IN;
	c->steps_offset = l.steps;
	c->steps_max = DH_BLOCK_STEPS;
	c->candidates_offset = l.candidates;
	c->candidates_max = DH_BLOCK_CANDIDATES;
	c->threads_offset = l.threads;
	c->threads_max = DH_SCHED_THREADS_MAX;
	c->ask.cpu = -1;
}

int dh_block_make(struct dh_block *b, struct dh_error *err)
{
	struct dh_block made = DH_BLOCK_INIT;

	made.size = lay_out().size;
	made.fd = memfd_create("deadheat-sched", MFD_CLOEXEC);
	if (made.fd < 0 || ftruncate(made.fd, (off_t)made.size) < 0) {
		int e = errno;

		dh_block_release(&made);
		return dh_error_set(err, e, "no memory to share with the program: %s", strerror(e));
	}
	made.ctl = mmap(NULL, made.size, PROT_READ | PROT_WRITE, MAP_SHARED, made.fd, 0);
	if (made.ctl == MAP_FAILED) {
		int e = errno;

		made.ctl = NULL;
		dh_block_release(&made);
		return dh_error_set(err, e, "no memory to share with the program: %s", strerror(e));
	}
	fill_head(made.ctl);
	*b = made;
	return 0;
}

void dh_block_release(struct dh_block *b)
{
	if (b->ctl)
		munmap(b->ctl, b->size);
	if (b->fd >= 0)
		close(b->fd);
	*b = DH_BLOCK_INIT;
}

static void *at(const struct dh_block *b, uint64_t offset)
{
	return (char *)b->ctl + offset;
}

/* Read once: the program may change it between two looks. */
static size_t count(const uint32_t *n, size_t max)
{
	uint32_t v = *(const volatile uint32_t *)n;

	return DH_MIN(v, max);
}

int dh_block_ask(struct dh_block *b, const struct dh_sched_ask *ask,
	const struct dh_sched_target *targets, size_t n_targets, const struct dh_sched_step *steps,
	size_t n_steps)
{
	if (n_targets > DH_SCHED_TARGETS_MAX || n_steps > DH_BLOCK_STEPS_IN)
		return -E2BIG;
	b->ctl->ask = *ask;
	b->ctl->ask.ntargets = (uint32_t)n_targets;
	b->ctl->ask.nsteps = (uint32_t)n_steps;
	if (n_targets)
		memcpy(b->ctl->target, targets, n_targets * sizeof(*targets));
	if (n_steps)
		memcpy(at(b, lay_out().steps_in), steps, n_steps * sizeof(*steps));
	return 0;
}

int dh_block_module(struct dh_block *b, const char *path)
{
	for (int i = 0; i < DH_SCHED_MODULES_MAX; i++) {
		char *name = b->ctl->module[i].path;

		if (i > 0 && !name[0]) {
			if (strlen(path) >= DH_SCHED_NAME_MAX)
				return -ENOSPC;
			snprintf(name, DH_SCHED_NAME_MAX, "%s", path);
			return i;
		}
		if (strncmp(name, path, DH_SCHED_NAME_MAX) == 0)
			return i;
	}
	return -ENOSPC;
}

static void bound_stack(struct dh_sched_stack *s)
{
	s->count = DH_MIN(s->count, DH_SCHED_FRAMES_MAX);
}

static void bound_site(struct dh_sched_site *s)
{
	s->nlocks = (uint8_t)DH_MIN(s->nlocks, DH_SCHED_LOCKS_MAX);
	bound_stack(&s->stack);
}

void dh_block_result(const struct dh_block *b, struct dh_sched_result *ret)
{
	*ret = b->ctl->result;
	ret->nsteps = DH_MIN(ret->nsteps, DH_BLOCK_STEPS);
	ret->ncandidates = DH_MIN(ret->ncandidates, DH_BLOCK_CANDIDATES);
	ret->nthreads = DH_MIN(ret->nthreads, DH_SCHED_THREADS_MAX);
	ret->nhits = DH_MIN(ret->nhits, DH_SCHED_HITS_MAX);
	ret->nmodules = DH_MIN(ret->nmodules, DH_SCHED_MODULES_MAX);
}

void dh_block_outcome(const struct dh_block *b, struct dh_sched_outcome *ret)
{
	*ret = b->ctl->outcome;
	if (ret->end >= DH_END_COUNT)
		ret->end = DH_END_NONE;
	ret->nwaiters = DH_MIN(ret->nwaiters, DH_SCHED_WAITERS_MAX);
	ret->text[sizeof(ret->text) - 1] = 0;
	bound_stack(&ret->stack);
	for (uint32_t i = 0; i < ret->nwaiters; i++)
		bound_stack(&ret->waiter[i].stack);
}

static void *copy(const void *from, size_t n, size_t size)
{
	return n ? dh_memdup(from, n * size) : NULL;
}

struct dh_sched_step *dh_block_steps(const struct dh_block *b, size_t *ret_n)
{
	*ret_n = count(&b->ctl->result.nsteps, DH_BLOCK_STEPS);
	return copy(at(b, lay_out().steps), *ret_n, sizeof(struct dh_sched_step));
}

struct dh_sched_candidate *dh_block_candidates(const struct dh_block *b, size_t *ret_n)
{
	struct dh_sched_candidate *c;

	*ret_n = count(&b->ctl->result.ncandidates, DH_BLOCK_CANDIDATES);
	c = copy(at(b, lay_out().candidates), *ret_n, sizeof(*c));
	for (size_t i = 0; i < *ret_n; i++) {
		c[i].nsites = DH_MIN(c[i].nsites, DH_SCHED_SITES_MAX);
		bound_stack(&c[i].allocated);
		bound_stack(&c[i].freed);
		for (uint32_t k = 0; k < c[i].nsites; k++)
			bound_site(&c[i].site[k]);
	}
	return c;
}

struct dh_sched_thread *dh_block_threads(const struct dh_block *b, size_t *ret_n)
{
	struct dh_sched_thread *t;

	*ret_n = count(&b->ctl->result.nthreads, DH_SCHED_THREADS_MAX);
	t = copy(at(b, lay_out().threads), *ret_n, sizeof(*t));
	for (size_t i = 0; i < *ret_n; i++) {
		t[i].name[sizeof(t[i].name) - 1] = 0;
		bound_stack(&t[i].created);
	}
	return t;
}

struct dh_sched_module *dh_block_modules(const struct dh_block *b, size_t *ret_n)
{
	struct dh_sched_module *m;

	*ret_n = count(&b->ctl->result.nmodules, DH_SCHED_MODULES_MAX);
	m = copy(b->ctl->module, *ret_n, sizeof(*m));
	for (size_t i = 0; i < *ret_n; i++)
		m[i].path[DH_SCHED_NAME_MAX - 1] = 0;
	return m;
}

size_t dh_block_hits(const struct dh_block *b, struct dh_sched_hit *ret)
{
	size_t n = count(&b->ctl->result.nhits, DH_SCHED_HITS_MAX);

	memcpy(ret, b->ctl->hit, n * sizeof(*ret));
	for (size_t i = 0; i < n; i++) {
		bound_site(&ret[i].site[0]);
		bound_site(&ret[i].site[1]);
	}
	return n;
}
