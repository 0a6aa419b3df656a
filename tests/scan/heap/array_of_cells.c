/* A lock and a datum in each element of an array, by index and by pointer. */
#include <pthread.h>
#include <stdlib.h>

struct cell {
	pthread_mutex_t lock;
	int datum;
	int count;
} cells[10];

static void update(int i)
{
	pthread_mutex_lock(&cells[i].lock);
	cells[i].datum = 3; // NORACE
	cells[i].count++;   // RACE
	pthread_mutex_unlock(&cells[i].lock);
}

static void update_pointer(struct cell *c)
{
	pthread_mutex_lock(&c->lock);
	c->datum++; // NORACE
	pthread_mutex_unlock(&c->lock);
	c->count++; // RACE
}

void *t_fun(void *arg)
{
	update(rand() % 10);
	update_pointer(&cells[rand() % 10]);
	return NULL;
}

int main(void)
{
	pthread_t id;

	for (int i = 0; i < 10; i++) {
		pthread_mutex_init(&cells[i].lock, NULL);
		cells[i].datum = 0; // NORACE
	}
	pthread_create(&id, NULL, t_fun, NULL);
	update(rand() % 10);
	update_pointer(&cells[rand() % 10]);
	pthread_join(id, NULL);
	return cells[3].datum; // NORACE
}
