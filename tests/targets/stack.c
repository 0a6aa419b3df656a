/* One thread pushes while another pops; the top of the stack is read and written in two steps
 * without a lock.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 3

static int values[2 * ROUNDS], top = ROUNDS;

static void push(int value)
{
	values[top] = value;
	top = top + 1; /* BUG */
}

static int pop(void)
{
	int value;

	top = top - 1; /* BUG */
	value = values[top];
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
