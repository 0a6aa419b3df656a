/* An event that is set, waited for and reset in one step.
 *
 * kind: none */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool event;
static int messages, received;

static void set_event(void)
{
	pthread_mutex_lock(&lock);
	event = true;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void wait_event(void)
{
	pthread_mutex_lock(&lock);
	while (!event)
		pthread_cond_wait(&changed, &lock);
	event = false;
	pthread_mutex_unlock(&lock);
}

static void *sender(void *arg)
{
	for (int i = 0; i < 3; i++) {
		__atomic_fetch_add(&messages, 1, __ATOMIC_SEQ_CST);
		set_event();
	}
	return arg;
}

static void *receiver(void *arg)
{
	while (received < 3) {
		wait_event();
		received += __atomic_exchange_n(&messages, 0, __ATOMIC_SEQ_CST);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
