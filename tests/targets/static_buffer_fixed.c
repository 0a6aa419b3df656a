/* static_buffer.c, mended: each has its own buffer.
 *
 * kind: none
 * fuzz: --compare-output */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char *format(int number, char *buffer)
{
	buffer[0] = (char)('0' + number / 10);
	buffer[1] = (char)('0' + number % 10);
	return buffer;
}

static int results[2];

static void *worker(void *arg)
{
	int i = (int)(long)arg;
	char buffer[16] = "";

	results[i] = atoi(format(10 + 11 * i, buffer));
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
