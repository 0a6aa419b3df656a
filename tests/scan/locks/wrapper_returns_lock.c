/* The lock comes out of a function that chooses one by a key. */
#include <pthread.h>

struct table {
	pthread_mutex_t even;
	pthread_mutex_t odd;
	int a;
	int b;
	int c;
} table = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

pthread_mutex_t *lock_for(int key)
{
	return key % 2 ? &table.odd : &table.even;
}

pthread_mutex_t *even_lock(void)
{
	return &table.even;
}

void *t_fun(void *arg)
{
	pthread_mutex_t *m = even_lock();

	pthread_mutex_lock(m);
	table.a++; // NORACE
	pthread_mutex_unlock(m);

	m = lock_for((int)(long)arg);
	pthread_mutex_lock(m);
	table.b++; // RACE
	pthread_mutex_unlock(m);
	return NULL;
}

int main(void)
{
	pthread_t id, id2;

	pthread_create(&id, NULL, t_fun, (void *)1L);
	pthread_create(&id2, NULL, t_fun, (void *)2L);
	pthread_mutex_lock(even_lock());
	table.a--; // NORACE
	pthread_mutex_unlock(even_lock());
	pthread_join(id, NULL);
	pthread_join(id2, NULL);
	return table.a + table.b; // NORACE
}
