/* bank_transfer.c, mended: transfer and audit hold both locks, in the same order.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void *transfer(void *arg)
{
	pthread_mutex_lock(&a.lock);
	pthread_mutex_lock(&b.lock);
	a.balance -= 30;
	b.balance += 30;
	pthread_mutex_unlock(&b.lock);
	pthread_mutex_unlock(&a.lock);
	return arg;
}

static void *audit(void *arg)
{
	int sum;

	pthread_mutex_lock(&a.lock);
	pthread_mutex_lock(&b.lock);
	sum = a.balance;
	sum += b.balance;
	pthread_mutex_unlock(&b.lock);
	pthread_mutex_unlock(&a.lock);
	assert(sum == 200);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, transfer, NULL);
	pthread_create(&two, NULL, audit, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
