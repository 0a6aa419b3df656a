/* The other order is taken only while there is one thread. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&c);
	pthread_mutex_lock(&d); // DEADLOCK
	pthread_mutex_unlock(&d);
	pthread_mutex_unlock(&c);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&d);
	pthread_mutex_lock(&c); // DEADLOCK
	pthread_mutex_unlock(&c);
	pthread_mutex_unlock(&d);
	pthread_join(id, NULL);
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return 0;
}
