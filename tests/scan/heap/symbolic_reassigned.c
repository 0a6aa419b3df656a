/* Between the lock and the access the pointer moves on. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int datum;
	int mark;
	struct node *next;
	pthread_mutex_t lock;
};

struct node *head;

void *t_fun(void *arg)
{
	struct node *p = head;

	while (p) {
		pthread_mutex_lock(&p->lock);
		p->datum++; // NORACE
		pthread_mutex_unlock(&p->lock);
		p = p->next; // NORACE
	}
	p = head;
	while (p->next) { // NORACE
		struct node *old = p;

		pthread_mutex_lock(&p->lock);
		p = p->next; // NORACE
		p->mark++;   // RACE
		pthread_mutex_unlock(&old->lock);
	}
	return NULL;
}

static struct node *make(struct node *next)
{
	struct node *n = malloc(sizeof(*n));

	n->datum = 0; // NORACE
	n->mark = 0;  // NORACE
	n->next = next;
	pthread_mutex_init(&n->lock, NULL);
	return n;
}

int main(void)
{
	pthread_t t1, t2;
	struct node *p;

	head = make(make(make(NULL)));
	pthread_create(&t1, NULL, t_fun, NULL);
	pthread_create(&t2, NULL, t_fun, NULL);
	for (p = head; p; p = p->next)
		if (p->next) {
			pthread_mutex_lock(&p->next->lock);
			p->next->mark++; // RACE
			pthread_mutex_unlock(&p->next->lock);
		}
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
