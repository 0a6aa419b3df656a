/* A tree under one lock; the count beside it has none. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *left, *right;
};

static struct node *root;
static int nodes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void insert(int key)
{
	struct node **at, *n = calloc(1, sizeof(*n));

	n->key = key; // NORACE
	pthread_mutex_lock(&lock);
	for (at = &root; *at; at = key < (*at)->key ? &(*at)->left : &(*at)->right) // NORACE
		;
	*at = n; // NORACE
	pthread_mutex_unlock(&lock);
	nodes++; // RACE
}

static int find(int key)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	for (n = root; n && n->key != key;)            // NORACE
		n = key < n->key ? n->left : n->right; // NORACE
	pthread_mutex_unlock(&lock);
	return n != NULL;
}

static void *t_fun(void *arg)
{
	insert(rand());
	find(3);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return nodes; // NORACE
}
