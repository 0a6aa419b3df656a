/* A function starts a thread on a structure of its own stack and returns when the thread has
 * begun, not when it is done; the next function's variables are in the same place.
 *
 * kind: order-violation
 * harm: assertion, crash */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct order {
	int pieces, price;
	char note[256];
};

static atomic_int begun;
static int total;

static void *process(void *arg)
{
	struct order *o = arg;

	atomic_store(&begun, 1);
	total = o->pieces * o->price; /* BUG */
	return NULL;
}

static __attribute__((noinline)) pthread_t start(void)
{
	struct order o = {3, 5, "two days"};
	pthread_t t;

	pthread_create(&t, NULL, process, &o);
	while (!atomic_load(&begun))
		usleep(500);
	return t;
}

static __attribute__((noinline)) void print_receipt(void)
{
	char text[512];

	memset(text, '-', sizeof(text)); /* BUG */
	text[sizeof(text) - 1] = '\0';
	puts(text);
}

int main(void)
{
	pthread_t t;

	t = start();
	print_receipt();
	pthread_join(t, NULL);
	assert(total == 15);
	return 0;
}
