/* Two accounts, but only the first one's lock is taken. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long money;
};

static void move(struct account *from, struct account *to, long n)
{
	pthread_mutex_lock(&from->lock);
	from->money -= n; // RACE
	to->money += n;   // RACE
	pthread_mutex_unlock(&from->lock);
}

static struct account left = {PTHREAD_MUTEX_INITIALIZER, 10};
static struct account right = {PTHREAD_MUTEX_INITIALIZER, 10};

static void *forward(void *arg)
{
	move(&left, &right, 1);
	return NULL;
}

static void *backward(void *arg)
{
	move(&right, &left, 1);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, forward, NULL);
	pthread_create(&b, NULL, backward, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(left.money + right.money); // NORACE
}
