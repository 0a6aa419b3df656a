/* Wrong uses of the heap and of a stack, one for each argument; "well" is none of them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int *block;
static void (*volatile out_of_sight)(void *) = free;

static void *drop(void *unused)
{
	free(block);
	return unused;
}

static void *keep(void *unused)
{
	return unused;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "well";
	pthread_mutex_t *lock = malloc(sizeof(*lock));
	pthread_t t;

	pthread_mutex_init(lock, NULL);
	block = malloc(100 * sizeof(*block));
	memset(block, 0, 100 * sizeof(*block));
	pthread_create(&t, NULL, strcmp(what, "well") == 0 ? keep : drop, NULL);
	pthread_join(t, NULL);
	if (strcmp(what, "read") == 0)
		return block[5];
	if (strcmp(what, "write") == 0)
		block[5] = 1;
	if (strcmp(what, "double") == 0)
		out_of_sight(block);
	if (strcmp(what, "middle") == 0)
		out_of_sight((char *)lock + 16);
	if (strcmp(what, "copy") == 0)
		memcpy(lock, block, 8);
	if (strcmp(what, "call") == 0) {
		volatile ssize_t n = readlink("/proc/self/exe", (char *)block, 4);

		(void)n;
	}
	if (strcmp(what, "lock") == 0) {
		free(lock);
		pthread_mutex_lock(lock);
	}
	return 0;
}
