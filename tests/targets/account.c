/* A branch pays in, a cash machine pays out and a clerk checks the sum when both say that they
 * are done.  Both tellers change the balance without the lock that the clerk takes.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *pay_in(void *amount)
{
	balance += *(int *)amount; /* BUG */
	return NULL;
}

static void *pay_out(void *amount)
{
	balance -= *(int *)amount; /* BUG */
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
