/* A file system gives blocks to inodes.  A free block is looked for under its lock, and taken
 * under its lock, but not under one and the same holding: two inodes get one block.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define BLOCKS  8
#define WRITERS 4

static pthread_mutex_t lock[BLOCKS];
static int owner[BLOCKS], block_of[WRITERS + 1];

static int is_free(int block)
{
	int free;

	pthread_mutex_lock(&lock[block]); /* BUG */
	free = owner[block] == 0;
	pthread_mutex_unlock(&lock[block]);
	return free;
}

static void *writer(void *arg)
{
	int inode = (int)(long)arg, block = inode * 3 % BLOCKS % 3;

	while (!is_free(block))
		block = (block + 1) % BLOCKS;
	pthread_mutex_lock(&lock[block]); /* BUG */
	owner[block] = inode;
	pthread_mutex_unlock(&lock[block]);
	block_of[inode] = block;
	return NULL;
}

int main(void)
{
	pthread_t writers[WRITERS];

	for (int i = 0; i < BLOCKS; i++)
		pthread_mutex_init(&lock[i], NULL);
	for (long i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, writer, (void *)(i + 1));
	for (int i = 0; i < WRITERS; i++)
		pthread_join(writers[i], NULL);
	for (int i = 1; i <= WRITERS; i++)
		assert(owner[block_of[i]] == i);
	return 0;
}
