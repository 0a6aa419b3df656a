/* Bodies are put into a tree by several threads.  Whether the leaf is still one is looked at under
 * its lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct cell {
	pthread_mutex_t lock;
	_Atomic(struct cell *) left, right;
	atomic_int body; /* 0: none */
	atomic_int split_at;
};

static struct cell *root;

static struct cell *leaf(int body)
{
	struct cell *c = calloc(1, sizeof(*c));

	pthread_mutex_init(&c->lock, NULL);
	c->body = body;
	return c;
}

static void insert(int body)
{
	struct cell *c = root;

	for (;;) {
		while (c->split_at)
			c = body < c->split_at ? c->left : c->right;
		pthread_mutex_lock(&c->lock);
		if (c->split_at) {
			pthread_mutex_unlock(&c->lock);
			continue;
		}
		if (!c->body) {
			c->body = body;
			pthread_mutex_unlock(&c->lock);
			return;
		}
		c->left = leaf(c->body < body ? c->body : body);
		c->right = leaf(c->body < body ? body : c->body);
		c->split_at = c->body < body ? body : c->body;
		c->body = 0;
		pthread_mutex_unlock(&c->lock);
		return;
	}
}

static int count(struct cell *c)
{
	return c->split_at ? count(c->left) + count(c->right) : c->body != 0;
}

static void *worker(void *arg)
{
	int first = (int)(long)arg;

	for (int i = 0; i < 3; i++)
		insert(first + i * 10);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	root = leaf(0);
	for (long i = 0; i < 3; i++) {
		pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
		usleep(5000);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(count(root) == 9);
	return 0;
}
