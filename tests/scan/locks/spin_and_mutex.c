/* The same counter under a spinlock here and a mutex there. */
#include <pthread.h>

pthread_spinlock_t spin;
pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
int under_spin;
int mixed;

void *t_fun(void *arg)
{
	pthread_spin_lock(&spin);
	under_spin++; // NORACE
	mixed++;      // RACE
	pthread_spin_unlock(&spin);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&id, NULL, t_fun, NULL);
	pthread_spin_lock(&spin);
	under_spin++; // NORACE
	pthread_spin_unlock(&spin);
	pthread_mutex_lock(&mtx);
	mixed++; // RACE
	pthread_mutex_unlock(&mtx);
	pthread_join(id, NULL);
	return 0;
}
