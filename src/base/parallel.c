#include "base/parallel.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fd.h"

/* How a piece comes through a pipe. */
struct head {
	uint64_t piece, size;
};

struct child {
	pid_t pid;
	int from;
};

struct pool {
	size_t n;
	dh_parallel_work *work;
	void *arg;
	atomic_size_t *next; /* shared by all: the first piece that nobody has taken */
	struct child *children;
	unsigned n_children;
	struct dh_buf *outs;
	bool *done;
};

/* Whoever is free takes the next piece; what came of it is written when there are no more, so that
 * nobody has to read in the meantime. */
static void work_off(struct pool *p, int to)
{
	DH_BUF struct dh_buf all = DH_BUF_INIT, one = DH_BUF_INIT;
	size_t i;

	while ((i = atomic_fetch_add(p->next, 1)) < p->n) {
		struct head h = {.piece = i};

		dh_buf_clear(&one);
		p->work(p->arg, i, &one);
		h.size = one.len;
		dh_buf_add(&all, &h, sizeof(h));
		dh_buf_add(&all, dh_buf_str(&one), one.len);
	}
	_exit(dh_write_full(to, dh_buf_str(&all), all.len) < 0);
}

static bool start(struct pool *p)
{
	struct child *c = &p->children[p->n_children];
	int ends[2];

	if (pipe(ends) < 0)
		return false;
	c->pid = fork();
	if (c->pid == 0) {
		close(ends[0]);
		work_off(p, ends[1]);
	}
	close(ends[1]);
	c->from = ends[0];
	if (c->pid < 0) {
		close(ends[0]);
		return false;
	}
	p->n_children++;
	return true;
}

/* What a child wrote, as far as it goes. */
static void collect(struct pool *p, const struct child *c)
{
	struct head h;

	while (dh_read_full(c->from, &h, sizeof(h)) == (ssize_t)sizeof(h) && h.piece < p->n) {
		struct dh_buf *out = &p->outs[h.piece];

		dh_buf_clear(out);
		dh_buf_reserve(out, h.size + 1);
		if (dh_read_full(c->from, out->data, h.size) != (ssize_t)h.size)
			break;
		out->len = h.size;
		p->done[h.piece] = true;
	}
	close(c->from);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void fork_off(struct pool *p, unsigned jobs)
{
	p->next = mmap(
		NULL, sizeof(*p->next), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->next == MAP_FAILED)
		return;
	p->children = dh_new_n(struct child, jobs);
	while (p->n_children < jobs && start(p))
		;
	for (unsigned i = 0; i < p->n_children; i++)
		collect(p, &p->children[i]);
	free(p->children);
	munmap(p->next, sizeof(*p->next));
}

void dh_parallel(unsigned jobs, size_t n, dh_parallel_work *work, dh_parallel_take *take, void *arg)
{
	struct pool p = {.n = n, .work = work, .arg = arg};

	p.outs = dh_zalloc((n + 1) * sizeof(*p.outs));
	p.done = dh_zalloc(n + 1);
	if (n > 1)
		fork_off(&p, DH_MAX(jobs, 1u));
	for (size_t i = 0; i < n; i++) {
		if (!p.done[i]) {
			dh_buf_clear(&p.outs[i]);
			work(arg, i, &p.outs[i]);
		}
		take(arg, i, &p.outs[i]);
		dh_buf_release(&p.outs[i]);
	}
	free(p.outs);
	free(p.done);
}
