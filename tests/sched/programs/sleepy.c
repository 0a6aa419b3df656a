/* Sleeps until the other one must be ready.  Must it? */
#include <pthread.h>
#include <unistd.h>
static int ready;
static void *prepare(void *p)
{
	usleep(1000);
	__atomic_store_n(&ready, 1, __ATOMIC_SEQ_CST);
	return p;
}
int main(void)
{
	pthread_t t;
	int seen;
	pthread_create(&t, NULL, prepare, NULL);
	sleep(1);
	seen = __atomic_load_n(&ready, __ATOMIC_SEQ_CST);
	pthread_join(t, NULL);
	return seen ? 0 : 1;
}
