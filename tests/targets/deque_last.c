/* The deque of Chase and Lev: the owner and a thief have to fight for the last element, but the
 * owner takes it without looking who was first.
 *
 * kind: atomicity-violation
 * harm: status */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 8

static _Atomic long top, bottom;
static _Atomic(int *) ring[SIZE];
static int jobs[6];

static void push(int *job)
{
	long b = atomic_load_explicit(&bottom, memory_order_relaxed);

	atomic_store_explicit(&ring[b % SIZE], job, memory_order_relaxed);
	atomic_store_explicit(&bottom, b + 1, memory_order_release);
}

static int *take(void)
{
	long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1, t;
	int *job = NULL;

	atomic_store(&bottom, b);
	t = atomic_load(&top);
	if (t <= b) {
		job = atomic_load_explicit(&ring[b % SIZE], memory_order_relaxed);
		if (t == b) {
			atomic_store(&top, t + 1); /* BUG */
			atomic_store(&bottom, b + 1);
		}
	} else {
		atomic_store(&bottom, b + 1);
	}
	return job;
}

static int *steal(void)
{
	long t = atomic_load_explicit(&top, memory_order_acquire);
	long b = atomic_load(&bottom);
	int *job;

	if (t >= b)
		return NULL;
	job = atomic_load_explicit(&ring[t % SIZE], memory_order_relaxed);
	if (!atomic_compare_exchange_strong(&top, &t, t + 1))
		return NULL;
	return job;
}

static void *thief(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int *job = steal();

		if (job)
			__atomic_fetch_add(job, 1, __ATOMIC_RELAXED);
	}
	return arg;
}

int main(void)
{
	pthread_t thieves[2];
	int *job;

	for (int i = 0; i < 2; i++)
		pthread_create(&thieves[i], NULL, thief, NULL);
	for (int i = 0; i < 6; i++) {
		push(&jobs[i]);
		if (i % 2 && (job = take()))
			__atomic_fetch_add(job, 1, __ATOMIC_RELAXED);
	}
	while ((job = take()))
		__atomic_fetch_add(job, 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(thieves[i], NULL);
	for (int i = 0; i < 6; i++) {
		if (jobs[i] > 1) {
			fprintf(stderr, "job %d ran %d times\n", i, jobs[i]);
			exit(1);
		}
	}
	return 0;
}
