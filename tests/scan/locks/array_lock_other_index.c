/* An array of locks with constant indices. */
#include <pthread.h>

pthread_mutex_t lk[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x, y, z;

void *t_fun(void *arg)
{
	pthread_mutex_lock(&lk[0]);
	x = 1; // NORACE
	y = 1; // RACE
	pthread_mutex_unlock(&lk[0]);
	pthread_mutex_lock(lk + 1);
	z = 1; // NORACE
	pthread_mutex_unlock(lk + 1);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(lk);
	x = 2; // NORACE
	pthread_mutex_unlock(lk);
	pthread_mutex_lock(&lk[1]);
	y = 2; // RACE
	z = 2; // NORACE
	pthread_mutex_unlock(&lk[1]);
	pthread_join(id, NULL);
	return 0;
}
