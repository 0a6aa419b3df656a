/* A pointer to a pointer, and a lock behind two pointers. */
#include <pthread.h>
#include <stdlib.h>

int v1, v2;
int *p1 = &v1, *p2 = &v2;
int **pp = &p1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *mp = &m;
pthread_mutex_t **mpp = &mp;

void *t_fun(void *arg)
{
	pthread_mutex_lock(*mpp);
	**pp = 1; // NORACE
	pthread_mutex_unlock(*mpp);
	*p2 = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(mp);
	v1 = 2; // NORACE
	v2 = 2; // RACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return v1 + v2; // NORACE
}
