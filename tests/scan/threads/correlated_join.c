/* For each file: threads are created and joined under the same condition. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long size;
static int blocks;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	long s = size; // NORACE

	pthread_mutex_lock(&m);
	blocks++; // NORACE
	pthread_mutex_unlock(&m);
	return (void *)s;
}

static int copy(FILE *f)
{
	return fgetc(f);
}

int main(int argc, char **argv)
{
	int no_threads = 0, quiet = argc > 3;
	pthread_t output;

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "r");

		if (!f)
			continue;
		size = i;   // NORACE
		blocks = 0; // NORACE
		if (i % 3 == 0)
			no_threads = 1;
		else
			no_threads = 0;
		if (!quiet)
			printf("%s\n", argv[i]);
		if (no_threads == 0) {
			if (pthread_create(&output, NULL, writer, NULL) != 0) {
				fprintf(stderr, "no thread\n");
				return 1;
			}
		} else if (copy(f) < 0) {
			quiet = 1;
		}
		if (no_threads == 0)
			pthread_join(output, NULL);
		if (!quiet)
			printf("%d\n", blocks); // NORACE
		fclose(f);
	}
	return 0;
}
