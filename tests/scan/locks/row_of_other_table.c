/* The lock of another row is held. */
#include <pthread.h>
#include <stdlib.h>

#define N 16

struct node {
	int value;
	struct node *next;
};

static pthread_mutex_t m[N];
static struct node *rows[N];

static void *worker(void *arg)
{
	unsigned i = (unsigned)rand() % N;

	pthread_mutex_lock(&m[i]);
	rows[i]->next = malloc(sizeof(struct node)); // RACE
	pthread_mutex_unlock(&m[i]);
	return NULL;
}

int main(void)
{
	unsigned j = (unsigned)rand() % N, k = (unsigned)rand() % N;
	pthread_t t;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&m[i], NULL);
	rows[j] = malloc(sizeof(struct node)); // NORACE
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m[k]);
	rows[j]->next = NULL; // RACE
	pthread_mutex_unlock(&m[k]);
	pthread_join(t, NULL);
	return 0;
}
