/* A scale counts parcels and adds up their weight; a timer's handler checks the books.  The two
 * sums are not written at once: a tick between them finds one parcel without its weight.
 * signal_update_fixed.c lets the handler know. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#define PARCELS 300000
#define TICK_US 5000

static volatile long parcels, grams;

static void check_books(int sig)
{
	char line[100];
	int n;

	(void)sig;
	if (grams == 250 * parcels)
		return;
	n = snprintf(line, sizeof(line), "%ld parcels, but %ld g instead of %ld g\n", parcels,
		grams, 250 * parcels);
	if (write(1, line, (size_t)n) == n)
		abort();
}

/* What takes the time between two parcels. */
static unsigned print_label(unsigned seed)
{
	for (int i = 0; i < 100; i++)
		seed = seed * 1103515245 + 12345;
	return seed;
}

int main(void)
{
	struct itimerval every = {{0, TICK_US}, {0, TICK_US}};
	unsigned label = 1;

	signal(SIGALRM, check_books);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < PARCELS; i++) {
		label = print_label(label);
		parcels++;
		grams += 250;
	}
	printf("%ld parcels, %ld g, last label %u\n", parcels, grams, label);
	return 0;
}
