/* Threads that mostly sleep wake in an order set by their random delays. */
#include "t.h"

static void *body(void *arg)
{
	for (int i = 0; i < 6; i++) {
		t_sleep_us(t_rand_in(100, 2000));
		say("%c", (char)('a' + (intptr_t)arg));
	}
	return NULL;
}

int main(void)
{
	pthread_t th[8];

	for (intptr_t i = 0; i < 8; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 8; i++)
		TRY0(pthread_join(th[i], NULL));
	say("\n");
	return 0;
}
