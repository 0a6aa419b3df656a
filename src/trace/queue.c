#include "trace/queue.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trace/format.h"

#define MAX_AGE_NS INT64_C(200000000)
#define QUEUE_MAX  (64u << 20)
#define SPARE_MAX  32 /* empty chunks kept: fresh memory costs a page fault every 4 KiB */

struct dh_trace_chunk {
	struct dh_trace_chunk *next; /* NULL while open; set with the lock held */
	_Atomic uint64_t published;  /* length << 32 | events */
	uint32_t written, written_events;
	uint32_t cap;
	bool ends_segment;
	uint8_t data[];
};

static struct dh_trace_chunk *chunk_new(uint32_t cap)
{
	struct dh_trace_chunk *c = malloc(sizeof(*c) + cap);

	if (c)
		c->cap = cap;
	return c;
}

static void chunk_reset(struct dh_trace_chunk *c)
{
	c->next = NULL;
	atomic_init(&c->published, 0);
	c->written = c->written_events = 0;
	c->ends_segment = false;
}

static void free_chunks(struct dh_trace_chunk *c)
{
	while (c) {
		struct dh_trace_chunk *next = c->next;

		free(c);
		c = next;
	}
}

int dh_trace_queue_error(const struct dh_trace_queue *q)
{
	return atomic_load_explicit(&q->error, memory_order_relaxed);
}

static void fail_locked(struct dh_trace_queue *q, int error)
{
	if (!dh_trace_queue_error(q))
		atomic_store_explicit(&q->error, error, memory_order_relaxed);
}

void dh_trace_queue_fail(struct dh_trace_queue *q, int error)
{
	pthread_mutex_lock(&q->lock);
	fail_locked(q, error);
	pthread_mutex_unlock(&q->lock);
}

/* The thread: writes what is published of c and not yet on disk.  The lock is held around the
 * call, not within. */
static void write_chunk(struct dh_trace_queue *q, struct dh_trace_chunk *c)
{
	uint64_t published = atomic_load_explicit(&c->published, memory_order_acquire);
	uint32_t len = (uint32_t)(published >> 32) - c->written;
	uint32_t count = (uint32_t)published - c->written_events;
	int r;

	if (len == 0 || dh_trace_queue_error(q))
		return;
	pthread_mutex_unlock(&q->lock);
	r = dh_trace_sink_write(&q->sink, q->written_seq, count, c->data + c->written, len);
	pthread_mutex_lock(&q->lock);
	if (r < 0) {
		fail_locked(q, r);
		return;
	}
	c->written += len;
	c->written_events += count;
	q->written_seq += count;
	q->raw_written += len;
	q->stored_written = q->sink.stored_written;
	q->segment_raw += len;
	q->segment_stored = q->sink.size;
}

static void next_segment(struct dh_trace_queue *q)
{
	uint64_t other = q->other_bytes;
	int r;

	if (dh_trace_queue_error(q))
		return;
	pthread_mutex_unlock(&q->lock);
	r = dh_trace_sink_next_segment(&q->sink, other);
	pthread_mutex_lock(&q->lock);
	if (r < 0)
		fail_locked(q, r);
	q->segment++;
	q->segment_raw = q->segment_stored = 0;
}

/* The thread: the closed chunk at the head has been written. */
static void retire_head(struct dh_trace_queue *q)
{
	struct dh_trace_chunk *c = q->head;

	if (c->ends_segment)
		next_segment(q);
	q->head = c->next;
	q->queued -= c->cap;
	if (c->cap == DH_TRACE_BLOCK_MAX && q->n_spare < SPARE_MAX) {
		c->next = q->spare;
		q->spare = c;
		q->n_spare++;
	} else {
		free(c);
	}
	pthread_cond_broadcast(&q->done);
}

static void finish_flush(struct dh_trace_queue *q)
{
	int r;

	if (!dh_trace_queue_error(q)) {
		pthread_mutex_unlock(&q->lock);
		r = dh_trace_sink_sync(&q->sink);
		pthread_mutex_lock(&q->lock);
		if (r < 0)
			fail_locked(q, r);
	}
	q->flush = false;
	pthread_cond_broadcast(&q->done);
}

static struct timespec soon(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += MAX_AGE_NS;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

/* Blocks of full chunks as they come; of the open one when it has waited for long enough. */
static void *thread_main(void *arg)
{
	struct dh_trace_queue *q = arg;
	struct timespec deadline = soon();
	bool late = false;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		/* As they are now: while a block is written the others go on, and what they have
		 * asked for since concerns chunks that are not looked at yet. */
		bool closed = q->head->next != NULL, flush = q->flush, stop = q->stop;

		if (!closed && !flush && !stop && !late) {
			late = pthread_cond_timedwait(&q->work, &q->lock, &deadline) == ETIMEDOUT;
			continue;
		}
		write_chunk(q, q->head);
		if (closed)
			retire_head(q);
		else if (flush)
			finish_flush(q);
		else if (stop)
			break;
		deadline = soon();
		late = false;
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

static int start_thread(struct dh_trace_queue *q)
{
	sigset_t all, old;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(&q->thread, NULL, thread_main, q);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -r;
}

int dh_trace_queue_init(struct dh_trace_queue *q, struct dh_trace_sink *sink)
{
	pthread_condattr_t attr;

	*q = (struct dh_trace_queue){.sink = *sink};
	pthread_mutex_init(&q->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&q->work, &attr);
	pthread_cond_init(&q->done, NULL);
	pthread_condattr_destroy(&attr);
	q->head = q->tail = chunk_new(DH_TRACE_BLOCK_MAX);
	if (!q->tail)
		return -ENOMEM;
	chunk_reset(q->tail);
	return start_thread(q);
}

void dh_trace_queue_release(struct dh_trace_queue *q)
{
	free_chunks(q->head);
	free_chunks(q->spare);
	dh_trace_sink_release(&q->sink);
	pthread_cond_destroy(&q->work);
	pthread_cond_destroy(&q->done);
	pthread_mutex_destroy(&q->lock);
}

/* A chunk for an event of n bytes, once the queue is short enough. */
static struct dh_trace_chunk *take_chunk(struct dh_trace_queue *q, uint32_t n)
{
	struct dh_trace_chunk *c = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->queued > QUEUE_MAX && !dh_trace_queue_error(q))
		pthread_cond_wait(&q->done, &q->lock);
	if (n <= DH_TRACE_BLOCK_MAX && q->spare) {
		c = q->spare;
		q->spare = c->next;
		q->n_spare--;
	}
	pthread_mutex_unlock(&q->lock);
	if (!c)
		c = chunk_new(DH_MAX(n, DH_TRACE_BLOCK_MAX));
	if (c)
		chunk_reset(c);
	return c;
}

/* Hands the open chunk over and opens one with room for n bytes. */
static int next_chunk(struct dh_trace_queue *q, uint32_t n, bool ends_segment)
{
	struct dh_trace_chunk *c = take_chunk(q, n);

	if (!c) {
		/* An event would be missing in the middle: better a clean end. */
		dh_trace_queue_fail(q, -ENOMEM);
		return -ENOMEM;
	}
	pthread_mutex_lock(&q->lock);
	q->queued += q->tail->cap;
	q->tail->ends_segment = ends_segment;
	q->tail->next = c;
	pthread_cond_signal(&q->work);
	pthread_mutex_unlock(&q->lock);
	q->tail = c;
	q->len = q->count = 0;
	return dh_trace_queue_error(q);
}

int dh_trace_queue_add(struct dh_trace_queue *q, uint16_t kind, uint32_t task, size_t len,
	const struct iovec *parts, int n_parts)
{
	int r = dh_trace_queue_error(q);
	uint8_t *start, *p;

	/* A chunk that was made for one large event has no room for a second: less than
	 * DH_TRACE_HEAD_MAX is left in it.  So a block above DH_TRACE_BLOCK_MAX holds one event. */
	if (r == 0 && len + DH_TRACE_HEAD_MAX > q->tail->cap - q->len)
		r = next_chunk(q, (uint32_t)len + DH_TRACE_HEAD_MAX, false);
	if (r < 0)
		return r;
	p = start = q->tail->data + q->len;
	p = dh_trace_put_number(p, kind);
	p = dh_trace_put_number(p, task);
	p = dh_trace_put_number(p, (uint32_t)len);
	for (int i = 0; i < n_parts; i++) {
		if (parts[i].iov_len)
			memcpy(p, parts[i].iov_base, parts[i].iov_len);
		p += parts[i].iov_len;
	}
	q->len += (uint32_t)(p - start);
	q->raw_added += (uint64_t)(p - start);
	q->count++;
	q->next_seq++;
	atomic_store_explicit(
		&q->tail->published, (uint64_t)q->len << 32 | q->count, memory_order_release);
	return 0;
}

int dh_trace_queue_end_segment(struct dh_trace_queue *q)
{
	int r = dh_trace_queue_error(q);

	return r < 0 ? r : next_chunk(q, 0, true);
}

int dh_trace_queue_flush(struct dh_trace_queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->flush = true;
	pthread_cond_signal(&q->work);
	while (q->flush)
		pthread_cond_wait(&q->done, &q->lock);
	pthread_mutex_unlock(&q->lock);
	return dh_trace_queue_error(q);
}

int dh_trace_queue_stop(struct dh_trace_queue *q)
{
	int r;

	pthread_mutex_lock(&q->lock);
	q->stop = true;
	pthread_cond_signal(&q->work);
	pthread_mutex_unlock(&q->lock);
	pthread_join(q->thread, NULL);
	r = dh_trace_queue_error(q);
	if (r == 0)
		r = dh_trace_sink_end(&q->sink, q->written_seq);
	if (r == 0)
		r = dh_trace_sink_sync(&q->sink);
	return r;
}
