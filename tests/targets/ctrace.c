/* A tracing library is switched on by one thread while another already traces.  The flag is set
 * before the file name is there.
 *
 * kind: order-violation
 * harm: crash */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int tracing;
static const char *trace_name;
static size_t traced;

static void *switch_on(void *arg)
{
	(void)arg;
	tracing = 1;              /* BUG */
	trace_name = "trace.out"; /* BUG */
	return NULL;
}

static void *worker(void *arg)
{
	(void)arg;
	if (tracing)                         /* BUG */
		traced = strlen(trace_name); /* BUG */
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
