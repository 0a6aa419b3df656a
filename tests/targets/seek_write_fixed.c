/* seek_write.c, mended: pwrite takes the position with it.
 *
 * kind: none */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORD 8

static int fd;

static void *writer(void *arg)
{
	int i = (int)(long)arg;
	char record[RECORD];

	memset(record, 'a' + i, sizeof(record));
	assert(pwrite(fd, record, sizeof(record), i * RECORD) == RECORD);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	char all[2 * RECORD + 1] = "";

	fd = memfd_create("records", 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, writer, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(pread(fd, all, 2 * RECORD, 0) == 2 * RECORD);
	assert(strcmp(all, "aaaaaaaabbbbbbbb") == 0);
	return 0;
}
