/* ctrace.c, mended: the flag is set last, atomically, with release and acquire.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int tracing;
static const char *trace_name;
static size_t traced;

static void *switch_on(void *arg)
{
	(void)arg;
	trace_name = "trace.out";
	atomic_store_explicit(&tracing, 1, memory_order_release);
	return NULL;
}

static void *worker(void *arg)
{
	(void)arg;
	if (atomic_load_explicit(&tracing, memory_order_acquire))
		traced = strlen(trace_name);
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, switch_on, NULL);
	pthread_create(&two, NULL, worker, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return traced > 9;
}
