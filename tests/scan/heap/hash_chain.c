/* A hash table: a lock for each bucket, chains inside. */
#include <pthread.h>
#include <stdlib.h>

#define HASH_SIZE 8

struct entry {
	int key, value;
	struct entry *next;
};

struct entry *slot[HASH_SIZE];
pthread_mutex_t slot_mutex[HASH_SIZE];
int total;

static void put(int key, int value)
{
	int h = key % HASH_SIZE;
	struct entry *e = malloc(sizeof(*e));

	e->key = key;     // NORACE
	e->value = value; // NORACE
	pthread_mutex_lock(&slot_mutex[h]);
	e->next = slot[h]; // NORACE
	slot[h] = e;       // NORACE
	total++;           // RACE
	pthread_mutex_unlock(&slot_mutex[h]);
}

static int get(int key)
{
	int h = key % HASH_SIZE, v = 0;

	pthread_mutex_lock(&slot_mutex[h]);
	for (struct entry *e = slot[h]; e; e = e->next) // NORACE
		if (e->key == key)                      // NORACE
			v = e->value;                   // NORACE
	pthread_mutex_unlock(&slot_mutex[h]);
	return v;
}

static void bump(int key)
{
	int h = key % HASH_SIZE;
	struct entry *e;

	pthread_mutex_lock(&slot_mutex[h]);
	for (e = slot[h]; e && e->key != key; e = e->next)
		;
	if (e)
		e->value++; // NORACE
	pthread_mutex_unlock(&slot_mutex[h]);
}

void *t_fun(void *arg)
{
	int base = (int)(long)arg;

	for (int i = 0; i < 20; i++) {
		put(base + i, i);
		get(i);
		bump(i);
	}
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	for (int i = 0; i < HASH_SIZE; i++)
		pthread_mutex_init(&slot_mutex[i], NULL);
	pthread_create(&t1, NULL, t_fun, (void *)0L);
	pthread_create(&t2, NULL, t_fun, (void *)5L);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return total > 100; // NORACE
}
