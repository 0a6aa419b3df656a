/* Each call leaves two ways to go on, and all of them stand in one block: scan must come to an end
 * and still see what is protected. */
#include <pthread.h>

#define LOCKS 24

static pthread_mutex_t locks[LOCKS], done = PTHREAD_MUTEX_INITIALIZER;
static int total, seen;

static int try(pthread_mutex_t *m)
{
	return pthread_mutex_trylock(m) == 0;
}

static void *worker(void *arg)
{
	int n = 0;

	n += try(&locks[0]);
	n += try(&locks[1]);
	n += try(&locks[2]);
	n += try(&locks[3]);
	n += try(&locks[4]);
	n += try(&locks[5]);
	n += try(&locks[6]);
	n += try(&locks[7]);
	n += try(&locks[8]);
	n += try(&locks[9]);
	n += try(&locks[10]);
	n += try(&locks[11]);
	n += try(&locks[12]);
	n += try(&locks[13]);
	n += try(&locks[14]);
	n += try(&locks[15]);
	n += try(&locks[16]);
	n += try(&locks[17]);
	n += try(&locks[18]);
	n += try(&locks[19]);
	n += try(&locks[20]);
	n += try(&locks[21]);
	n += try(&locks[22]);
	n += try(&locks[23]);
	pthread_mutex_lock(&done);
	total += n; // NORACE
	pthread_mutex_unlock(&done);
	seen++; // MAYBE RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < LOCKS; i++)
		pthread_mutex_init(&locks[i], NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total + seen > 0; // NORACE
}
