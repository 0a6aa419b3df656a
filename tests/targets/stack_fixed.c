/* stack.c, mended: push and pop hold a lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 3

static int values[2 * ROUNDS], top = ROUNDS;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value)
{
	pthread_mutex_lock(&lock);
	values[top] = value;
	top = top + 1;
	pthread_mutex_unlock(&lock);
}

static int pop(void)
{
	int value;

	pthread_mutex_lock(&lock);
	top = top - 1;
	value = values[top];
	pthread_mutex_unlock(&lock);
	return value;
}

static void *pusher(void *arg)
{
	(void)arg;
	for (int i = 0; i < ROUNDS; i++)
		push(i);
	return NULL;
}

static void *popper(void *arg)
{
	(void)arg;
	for (int i = 0; i < ROUNDS; i++)
		pop();
	return NULL;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, pusher, NULL);
	pthread_create(&two, NULL, popper, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(top == ROUNDS);
	return 0;
}
