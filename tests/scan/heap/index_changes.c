/* The index changes between taking the lock and the access. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int data;
	pthread_mutex_t lock;
} s[10];

static void *t_fun(void *arg)
{
	int i = rand() % 9;

	pthread_mutex_lock(&s[i].lock);
	s[i].data++; // RACE
	pthread_mutex_unlock(&s[i].lock);
	return NULL;
}

int main(void)
{
	pthread_t t1;
	int j = rand() % 9, k;

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&s[i].lock, NULL);
	pthread_create(&t1, NULL, t_fun, NULL);
	k = j;
	pthread_mutex_lock(&s[k].lock);
	j = j + 1;
	s[j].data++; // RACE
	pthread_mutex_unlock(&s[k].lock);
	pthread_join(t1, NULL);
	return 0;
}
