/* Two threads add to a counter without a lock; the wrong total is the point. */
#include "t.h"

enum { ROUNDS = 4000000 };

static volatile uint64_t counter;
static uint64_t seen[2];

static void *body(void *arg)
{
	uint64_t *last = arg;

	for (int i = 0; i < ROUNDS; i++) {
		counter = counter + 1;
		if (i % 1000 == 0)
			*last = *last * 31 + counter;
	}
	return NULL;
}

int main(void)
{
	pthread_t th[2];

	for (int i = 0; i < 2; i++)
		TRY0(pthread_create(&th[i], NULL, body, &seen[i]));
	for (int i = 0; i < 2; i++)
		TRY0(pthread_join(th[i], NULL));
	say("total %lu of %d, paths %016lx %016lx\n", counter, 2 * ROUNDS, seen[0], seen[1]);
	CHECK(counter <= 2 * ROUNDS && counter >= ROUNDS / 1000);
	return 0;
}
