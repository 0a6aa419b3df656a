/* A clock of two halves: the reader takes the high half once, and the low half behind it.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint32_t high, low = 0xfffffffe;

static void *ticker(void *arg)
{
	for (int i = 0; i < 4; i++) {
		if (atomic_load(&low) == UINT32_MAX) {
			atomic_fetch_add(&high, 1);
			atomic_store(&low, 0);
			atomic_fetch_add(&high, 1);
		} else {
			atomic_fetch_add(&low, 1);
		}
	}
	return arg;
}

static uint64_t now(void)
{
	uint32_t h, l;

	h = atomic_load(&high); /* BUG */
	l = atomic_load(&low);  /* BUG */
	return (uint64_t)(h / 2) << 32 | l;
}

static void *reader(void *arg)
{
	uint64_t before = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t t = now();

		assert(t >= before);
		before = t;
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, ticker, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
