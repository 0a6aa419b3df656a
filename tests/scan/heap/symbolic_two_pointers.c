/* p->lock is taken; q->data is p's only if q is p. */
#include <pthread.h>
#include <stdlib.h>

struct s {
	int data;
	int more;
	pthread_mutex_t lock;
};

struct s *a, *b;

static struct s *pick(void)
{
	return rand() % 2 ? a : b;
}

void *t_fun(void *arg)
{
	struct s *p = pick();
	struct s *q = p;
	struct s *r = pick();

	pthread_mutex_lock(&p->lock);
	q->data++; // NORACE
	r->more++; // RACE
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	a = malloc(sizeof(*a));
	b = malloc(sizeof(*b));
	pthread_mutex_init(&a->lock, NULL);
	pthread_mutex_init(&b->lock, NULL);
	a->data = b->data = 0; // NORACE
	a->more = b->more = 0; // NORACE
	pthread_create(&t1, NULL, t_fun, NULL);
	pthread_create(&t2, NULL, t_fun, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	free(a); // NORACE
	free(b); // NORACE
	return 0;
}
