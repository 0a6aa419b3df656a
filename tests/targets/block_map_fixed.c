/* block_map.c, mended: the block is taken where it is found free.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define BLOCKS  8
#define WRITERS 4

static pthread_mutex_t lock[BLOCKS];
static int owner[BLOCKS], block_of[WRITERS + 1];

static int take_if_free(int block, int inode)
{
	int free;

	pthread_mutex_lock(&lock[block]);
	free = owner[block] == 0;
	if (free)
		owner[block] = inode;
	pthread_mutex_unlock(&lock[block]);
	return free;
}

static void *writer(void *arg)
{
	int inode = (int)(long)arg, block = inode * 3 % BLOCKS % 3;

	while (!take_if_free(block, inode))
		block = (block + 1) % BLOCKS;
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
