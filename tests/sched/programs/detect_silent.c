/* Everything that orders accesses, used well: a prediction finds no race here, hybrid or not. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int under_mutex, under_rw, under_spin, by_barrier[2], by_sem, by_once, by_atomic, by_fence;
static atomic_int ready, fence_ready, counter;
static _Thread_local int own;

static void init(void)
{
	by_once = 5;
}

static void work_with_memory(void)
{
	for (int i = 0; i < 20; i++) {
		size_t size = 16 + (size_t)i * 40;
		char *p = malloc(size), *q = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
						MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(p, i, size);
		p = realloc(p, size * 2);
		snprintf(p, size, "%d", i);
		q[0] = p[0];
		free(p);
		munmap(q, 8192);
	}
}

static void sections(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		under_mutex++;
		pthread_mutex_unlock(&m);
		pthread_rwlock_rdlock(&rw);
		own += under_rw;
		pthread_rwlock_unlock(&rw);
		pthread_rwlock_wrlock(&rw);
		under_rw++;
		pthread_rwlock_unlock(&rw);
		pthread_spin_lock(&spin);
		under_spin++;
		pthread_spin_unlock(&spin);
		atomic_fetch_add(&counter, 1);
	}
}

static void *producer(void *result)
{
	by_sem = 1;
	sem_post(&sem);
	by_atomic = 2;
	atomic_store_explicit(&ready, 1, memory_order_release);
	by_fence = 3;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&fence_ready, 1, memory_order_relaxed);
	by_barrier[0] = 4;
	pthread_barrier_wait(&barrier);
	*(int *)result = by_barrier[1];
	pthread_once(&once, init);
	own = by_once;
	sections();
	work_with_memory();
	return result;
}

static void *consumer(void *result)
{
	sem_wait(&sem);
	own = by_sem;
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		thrd_yield();
	own += by_atomic;
	while (!atomic_load_explicit(&fence_ready, memory_order_relaxed))
		thrd_yield();
	atomic_thread_fence(memory_order_acquire);
	own += by_fence;
	by_barrier[1] = 4;
	pthread_barrier_wait(&barrier);
	*(int *)result = by_barrier[0] + own;
	pthread_once(&once, init);
	own = by_once;
	sections();
	work_with_memory();
	return result;
}

static void *brief(void *on_stack)
{
	volatile int local[64];

	for (int i = 0; i < 64; i++)
		local[i] = *(int *)on_stack + i;
	*(int *)on_stack = local[63];
	return NULL;
}

int main(void)
{
	int results[2] = {0, 0}, passed = 0;
	pthread_t t[2];

	pthread_spin_init(&spin, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&sem, 0, 0);
	pthread_create(&t[0], NULL, producer, &results[0]);
	pthread_create(&t[1], NULL, consumer, &results[1]);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	/* Stacks that are used again, and a variable that is handed on. */
	for (int i = 0; i < 6; i++) {
		pthread_create(&t[0], NULL, brief, &passed);
		pthread_join(t[0], NULL);
	}
	return results[0] == 4 && results[1] == 10 && passed == 63 * 6 && under_mutex == 6 ? 0 : 1;
}
