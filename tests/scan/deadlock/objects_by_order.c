/* Two locks of one kind, always parent first. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	pthread_mutex_t lock;
	struct node *parent;
	int n;
};

static struct node *leaf;

static void up(struct node *c)
{
	struct node *p = c->parent;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	pthread_mutex_lock(&c->lock); // MAYBE DEADLOCK
	p->n += c->n;                 // NORACE
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_unlock(&p->lock);
}

static void *t_fun(void *arg)
{
	up(leaf);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct node *root = calloc(1, sizeof(*root));

	leaf = calloc(1, sizeof(*leaf));
	pthread_mutex_init(&root->lock, NULL);
	pthread_mutex_init(&leaf->lock, NULL);
	leaf->parent = root;
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
