/* Two threads format a number into the same static buffer and print it: one of the numbers is
 * printed twice.
 *
 * kind: data-race
 * harm: output
 * fuzz: --compare-output */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *format(int number)
{
	static char buffer[16]; /* BUG */

	buffer[0] = (char)('0' + number / 10); /* BUG */
	buffer[1] = (char)('0' + number % 10); /* BUG */
	return buffer;
}

static int results[2];

static void *worker(void *arg)
{
	int i = (int)(long)arg;

	results[i] = atoi(format(10 + 11 * i)); /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d %d\n", results[0], results[1]);
	return 0;
}
