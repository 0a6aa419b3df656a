/* Lamport's bakery without the "choosing" flags: who has read the others' tickets but not yet
 * written the own one is not seen, and two customers with the same ticket are served at once.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define CUSTOMERS 2

static atomic_int ticket[CUSTOMERS], inside;

static void take_ticket(int own)
{
	int highest = 0;

	for (int i = 0; i < CUSTOMERS; i++) {
		int t = atomic_load(&ticket[i]);

		if (t > highest)
			highest = t;
	}
	atomic_store(&ticket[own], highest + 1); /* BUG */
}

static int before(int i, int own)
{
	int t = atomic_load(&ticket[i]), mine = atomic_load(&ticket[own]);

	return t != 0 && (t < mine || (t == mine && i < own));
}

static void *customer(void *arg)
{
	int own = (int)(long)arg;

	take_ticket(own);
	for (int i = 0; i < CUSTOMERS; i++) {
		while (before(i, own))
			sched_yield();
	}
	assert(atomic_fetch_add(&inside, 1) == 0);
	atomic_fetch_sub(&inside, 1);
	atomic_store(&ticket[own], 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[CUSTOMERS];

	for (long i = 0; i < CUSTOMERS; i++)
		pthread_create(&threads[i], NULL, customer, (void *)i);
	for (int i = 0; i < CUSTOMERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
