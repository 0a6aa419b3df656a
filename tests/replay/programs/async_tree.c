/* A binary tree that grows, is searched and is pruned. */
#include "async.h"

struct node {
	struct node *left, *right;
	uint64_t key;
};

static struct node pool[4096];
static volatile uint64_t steps;

static struct node **find(struct node **p, uint64_t key)
{
	while (*p && (*p)->key != key) {
		p = key < (*p)->key ? &(*p)->left : &(*p)->right;
		steps++;
	}
	return p;
}

int main(void)
{
	struct node *root = NULL;
	uint64_t found = 0;
	int used = 0;

	async_counter = &steps;
	async_start();
	while (async_more()) {
		struct node **p = find(&root, t_rand() % 3000);

		if (*p) {
			found++;
		} else if (used < 4096) {
			pool[used].key = t_rand() % 3000;
			p = find(&root, pool[used].key);
			if (!*p)
				*p = &pool[used];
			used++;
		} else {
			root = NULL;
			memset(pool, 0, sizeof(pool));
			used = 0;
		}
	}
	say("end %lu found %lu used %d\n", steps, found, used);
	return 0;
}
