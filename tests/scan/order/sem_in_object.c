/* A semaphore in each object is its lock; one way around it is not. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct account {
	sem_t sem;
	long balance;
	int closed;
};

static void deposit(struct account *a, long n)
{
	sem_wait(&a->sem);
	a->balance += n; // NORACE
	sem_post(&a->sem);
}

static long balance(struct account *a)
{
	long n;

	sem_wait(&a->sem);
	n = a->balance; // NORACE
	sem_post(&a->sem);
	return n;
}

static void shut(struct account *a)
{
	a->closed = 1; // RACE
}

static void *client(void *arg)
{
	struct account *a = arg;

	for (int i = 0; i < 100; i++)
		if (!a->closed) // RACE
			deposit(a, 1);
	return NULL;
}

int main(void)
{
	struct account *a = calloc(1, sizeof(*a));
	pthread_t t[2];

	sem_init(&a->sem, 0, 1);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, client, a);
	deposit(a, 5);
	shut(a);
	balance(a);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
