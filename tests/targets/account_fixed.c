/* account.c, mended: both tellers hold the lock while they change the balance.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *pay_in(void *amount)
{
	pthread_mutex_lock(&lock);
	balance += *(int *)amount;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *pay_out(void *amount)
{
	pthread_mutex_lock(&lock);
	balance -= *(int *)amount;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	int in = 50, out = 30;
	pthread_t branch, machine;

	pthread_create(&branch, NULL, pay_in, &in);
	pthread_create(&machine, NULL, pay_out, &out);
	pthread_join(branch, NULL);
	pthread_join(machine, NULL);
	pthread_mutex_lock(&lock);
	assert(balance == 120);
	pthread_mutex_unlock(&lock);
	return 0;
}
