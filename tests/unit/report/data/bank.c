/* Two transfers, two accounts, two orders. */
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	long balance;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *back(void *arg)
{
	transfer(&b, &a, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, back, NULL);
	transfer(&a, &b, 1);
	pthread_join(t, NULL);
	return 0;
}
