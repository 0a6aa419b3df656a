/* A state under a lock says who owns the buffer. */
#include <pthread.h>
#include <sched.h>

enum { EMPTY, FULL };

int state = EMPTY;
int buffer;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int is(int s)
{
	int r;

	pthread_mutex_lock(&m);
	r = state == s; // NORACE
	pthread_mutex_unlock(&m);
	return r;
}

static void become(int s)
{
	pthread_mutex_lock(&m);
	state = s; // NORACE
	pthread_mutex_unlock(&m);
}

void *consumer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		while (!is(FULL))
			sched_yield();
		buffer--; // NORACE
		become(EMPTY);
	}
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, consumer, NULL);
	for (int i = 0; i < 3; i++) {
		while (!is(EMPTY))
			sched_yield();
		buffer = i; // NORACE
		become(FULL);
	}
	pthread_join(id, NULL);
	return buffer; // NORACE
}
