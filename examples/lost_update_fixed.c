/* The fixed twin of lost_update.c: a lock makes reading, writing the slip and putting the sum back
 * one step. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PAYMENTS 10
#define EXPECTED (PAYMENTS * (PAYMENTS + 1))

static long balance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *clerk(void *name)
{
	for (long amount = 1; amount <= PAYMENTS; amount++) {
		long before;

		pthread_mutex_lock(&lock);
		before = balance;
		dprintf(1, "%s pays in %ld\n", (const char *)name, amount);
		balance = before + amount;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	static char names[2][4] = {"Ann", "Bob"};
	pthread_t clerks[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&clerks[i], NULL, clerk, names[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(clerks[i], NULL);
	dprintf(1, "the account has %ld, it should have %d\n", balance, EXPECTED);
	if (balance != EXPECTED)
		abort();
	return 0;
}
