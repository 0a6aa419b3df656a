/* A cache with the least recently used entry at the end of a list.  A hit moves the entry to the
 * front, and takes the readers' lock for it.
 *
 * kind: data-race
 * harm: assertion, crash */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define ENTRIES 4

struct entry {
	struct entry *prev, *next;
	int key;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry list = {&list, &list, -1}, entries[ENTRIES];

static void unlink_entry(struct entry *e)
{
	e->prev->next = e->next;
	e->next->prev = e->prev;
}

static void link_first(struct entry *e)
{
	e->next = list.next;
	e->prev = &list;
	list.next->prev = e;
	list.next = e;
}

static void hit(int key)
{
	pthread_rwlock_rdlock(&lock); /* BUG */
	unlink_entry(&entries[key]);
	link_first(&entries[key]);
	pthread_rwlock_unlock(&lock);
}

static int count(void)
{
	int n = 0;

	pthread_rwlock_wrlock(&lock);
	for (struct entry *e = list.next; e != &list && n <= ENTRIES; e = e->next) {
		assert(e->next->prev == e);
		n++;
	}
	pthread_rwlock_unlock(&lock);
	return n;
}

static void *client(void *arg)
{
	for (int i = 0; i < 3; i++)
		hit((int)(size_t)arg + i % 2);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < ENTRIES; i++) {
		entries[i].key = i;
		link_first(&entries[i]);
	}
	for (size_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, client, (void *)(i * 2));
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(count() == ENTRIES);
	return 0;
}
