/* bank_deadlock.c, mended: the account with the lower address is locked first.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account accounts[3] = {{PTHREAD_MUTEX_INITIALIZER, 100},
	{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account *from, struct account *to, int amount)
{
	struct account *low = from < to ? from : to, *high = from < to ? to : from;

	pthread_mutex_lock(&low->lock);
	pthread_mutex_lock(&high->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *rent(void *arg)
{
	transfer(&accounts[0], &accounts[1], 40);
	transfer(&accounts[1], &accounts[2], 10);
	return arg;
}

static void *wages(void *arg)
{
	transfer(&accounts[2], &accounts[1], 20);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, rent, NULL);
	pthread_create(&two, NULL, wages, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(accounts[1].balance == 150);
	return 0;
}
