/* Two lists, each with a mutex of its own. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int datum;
	struct node *next;
} * A, *B;

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;

static struct node *make(int x)
{
	struct node *p = malloc(sizeof(*p));

	p->datum = x; // NORACE
	p->next = NULL;
	return p;
}

static void insert(struct node *p, struct node **list)
{
	p->next = *list; // NORACE
	*list = p;       // NORACE
}

static void *t_fun(void *arg)
{
	struct node *p = make(7), *q = make(8);

	pthread_mutex_lock(&ma);
	insert(p, &A);
	pthread_mutex_unlock(&ma);
	pthread_mutex_lock(&mb);
	insert(q, &B);
	pthread_mutex_unlock(&mb);
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct node *p;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&ma);
	for (p = A; p; p = p->next) // NORACE
		p->datum++;         // NORACE
	pthread_mutex_unlock(&ma);
	pthread_mutex_lock(&mb);
	for (p = B; p; p = p->next) // NORACE
		p->datum--;         // NORACE
	pthread_mutex_unlock(&mb);
	pthread_join(id, NULL);
	return 0;
}
