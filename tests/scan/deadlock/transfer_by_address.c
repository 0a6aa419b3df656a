/* Two objects of one type, locked in the order of their addresses. */
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	long money;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 5};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 5};

static void transfer(struct account *from, struct account *to, long n)
{
	struct account *low = from < to ? from : to;
	struct account *high = from < to ? to : from;

	pthread_mutex_lock(&low->lock);
	pthread_mutex_lock(&high->lock); // NODEADLOCK
	from->money -= n;                // NORACE
	to->money += n;                  // NORACE
	pthread_mutex_unlock(&high->lock);
	pthread_mutex_unlock(&low->lock);
}

static void *forward(void *arg)
{
	transfer(&a, &b, 1);
	return NULL;
}

static void *backward(void *arg)
{
	transfer(&b, &a, 1);
	return NULL;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, forward, NULL);
	pthread_create(&t, NULL, backward, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return (int)(a.money + b.money);
}
