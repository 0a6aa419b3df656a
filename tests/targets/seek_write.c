/* Two threads write records with lseek and write on one descriptor.  The position belongs to the
 * file and not to the thread: a record lands in the other's place.
 *
 * kind: atomicity-violation
 * harm: assertion */
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
	lseek(fd, i * RECORD, SEEK_SET);                     /* BUG */
	assert(write(fd, record, sizeof(record)) == RECORD); /* BUG */
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
