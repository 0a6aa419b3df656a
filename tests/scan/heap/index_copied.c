/* Two names for one index. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
	int data;
	pthread_mutex_t lock;
} s[10];

static void *t_fun(void *arg)
{
	int i = rand() % 10, k = i;

	pthread_mutex_lock(&s[k].lock);
	s[i].data++; // NORACE
	pthread_mutex_unlock(&s[i].lock);
	return NULL;
}

int main(void)
{
	pthread_t t1;
	int j = rand() % 10;
	struct entry *e = &s[j];

	for (int i = 0; i < 10; i++)
		pthread_mutex_init(&s[i].lock, NULL);
	pthread_create(&t1, NULL, t_fun, NULL);
	pthread_mutex_lock(&e->lock);
	s[j].data++; // NORACE
	pthread_mutex_unlock(&e->lock);
	pthread_join(t1, NULL);
	return 0;
}
