/* Nodes of the first list are changed under the mutex of the second. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int datum;
	struct node *next;
} * A;

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	struct node *p = malloc(sizeof(*p));

	p->datum = 7; // NORACE
	pthread_mutex_lock(&ma);
	p->next = A; // NORACE
	A = p;       // NORACE
	pthread_mutex_unlock(&ma);
	pthread_mutex_lock(&mb);
	p->datum++; // RACE
	pthread_mutex_unlock(&mb);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&ma);
	if (A)              // NORACE
		A->datum++; // RACE
	pthread_mutex_unlock(&ma);
	pthread_join(id, NULL);
	return 0;
}
