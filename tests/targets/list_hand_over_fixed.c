/* list_hand_over.c, mended: the lock of a node is kept until its pointer has been changed.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
	pthread_mutex_t lock;
	struct node *next;
	int key;
};

static struct node c = {PTHREAD_MUTEX_INITIALIZER, NULL, 30};
static struct node b = {PTHREAD_MUTEX_INITIALIZER, &c, 20};
static struct node a = {PTHREAD_MUTEX_INITIALIZER, &b, 10};
static struct node added = {PTHREAD_MUTEX_INITIALIZER, NULL, 15};

static void *insert(void *arg)
{
	pthread_mutex_lock(&a.lock);
	added.next = a.next;
	a.next = &added;
	pthread_mutex_unlock(&a.lock);
	return arg;
}

static void *remove_b(void *arg)
{
	struct node *victim;

	pthread_mutex_lock(&a.lock);
	victim = a.next;
	if (victim->key == 20)
		a.next = victim->next;
	pthread_mutex_unlock(&a.lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	int found = 0;

	pthread_create(&one, NULL, insert, NULL);
	pthread_create(&two, NULL, remove_b, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	for (struct node *n = &a; n; n = n->next)
		found += n->key == 15;
	assert(found == 1);
	return 0;
}
