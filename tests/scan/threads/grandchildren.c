/* A thread starts another one; who joins whom decides. */
#include <pthread.h>

int left, joined, deep;

void *child(void *arg)
{
	left++; // RACE
	return NULL;
}

void *child_joined(void *arg)
{
	joined++; // NORACE
	deep++;   // RACE
	return NULL;
}

void *parent(void *arg)
{
	pthread_t a, b;

	joined = 1; // NORACE
	pthread_create(&a, NULL, child, NULL);
	pthread_create(&b, NULL, child_joined, NULL);
	pthread_join(b, NULL);
	joined = 2; // NORACE
	pthread_detach(a);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, parent, NULL);
	deep = 1; // RACE
	pthread_join(id, NULL);
	joined = 3; // NORACE
	deep = 2;   // NORACE
	left = 2;   // RACE
	pthread_exit(NULL);
}
