/* A thousand threads at a time, and more one after the other. */
#include <pthread.h>
#define N 1000
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int count, go;
static void *worker(void *p)
{
	pthread_mutex_lock(&m);
	while (!go)
		pthread_cond_wait(&c, &m);
	count++;
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	static pthread_t t[N];
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (int i = 0; i < N; i++)
		if (pthread_create(&t[i], &a, worker, NULL) != 0)
			return 2;
	pthread_mutex_lock(&m);
	go = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++) {
		pthread_create(&t[0], &a, worker, NULL);
		pthread_join(t[0], NULL);
	}
	return count == 2 * N ? 0 : 1;
}
