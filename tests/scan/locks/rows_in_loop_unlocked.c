/* A function makes a list for each row; one thread takes the lock of its row, the other one none.
 */
#include <pthread.h>
#include <stdlib.h>

#define N 16

struct node {
	int value;
	struct node *next;
};

static pthread_mutex_t m[N];
static struct node *rows[N];

static struct node *node_new(void)
{
	return calloc(1, sizeof(struct node));
}

static void count(struct node *n)
{
	n->value++; // RACE
}

static void *worker(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&m[i]);
		count(rows[i]);
		pthread_mutex_unlock(&m[i]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < N; i++) {
		pthread_mutex_init(&m[i], NULL);
		rows[i] = node_new(); // NORACE
	}
	pthread_create(&t, NULL, worker, NULL);
	for (int j = 0; j < N; j++) {
		count(rows[j]);
	}
	pthread_join(t, NULL);
	return 0;
}
