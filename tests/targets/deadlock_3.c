/* Three shops exchange goods around a ring.  Each locks its own stock and then its neighbour's:
 * when all hold their own, nobody gets on.
 *
 * kind: deadlock
 * harm: deadlock */
#include <pthread.h>

#define SHOPS 3

static struct {
	pthread_mutex_t lock;
	int goods;
} stock[SHOPS];

static void *exchange(void *arg)
{
	int own = (int)(long)arg, next = (own + 1) % SHOPS;

	pthread_mutex_lock(&stock[own].lock);
	pthread_mutex_lock(&stock[next].lock); /* BUG */
	stock[own].goods--;
	stock[next].goods++;
	pthread_mutex_unlock(&stock[next].lock);
	pthread_mutex_unlock(&stock[own].lock);
	return NULL;
}

int main(void)
{
	pthread_t shops[SHOPS];

	for (int i = 0; i < SHOPS; i++)
		pthread_mutex_init(&stock[i].lock, NULL);
	for (long i = 0; i < SHOPS; i++)
		pthread_create(&shops[i], NULL, exchange, (void *)i);
	for (int i = 0; i < SHOPS; i++)
		pthread_join(shops[i], NULL);
	return 0;
}
