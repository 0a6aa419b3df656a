/* A downloader's threads count what they have written.  On an interrupt the offsets are saved in
 * order to go on later: the sum and the offsets are read while the threads move on, and the saved
 * state does not fit.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define PARTS  2
#define PIECES 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int offset[PARTS], total;

static void *download(void *arg)
{
	int part = (int)(long)arg;

	for (int i = 0; i < PIECES; i++) {
		offset[part] += 100; /* BUG */
		pthread_mutex_lock(&lock);
		total += 100;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *save(void *arg)
{
	int saved[PARTS], sum = 0, all;

	(void)arg;
	pthread_mutex_lock(&lock);
	all = total;
	pthread_mutex_unlock(&lock);
	memcpy(saved, offset, sizeof(saved)); /* BUG */
	for (int i = 0; i < PARTS; i++)
		sum += saved[i];
	assert(sum == all);
	return NULL;
}

int main(void)
{
	pthread_t parts[PARTS], saver;

	for (long i = 0; i < PARTS; i++)
		pthread_create(&parts[i], NULL, download, (void *)i);
	for (int i = 0; i < PARTS - 1; i++)
		pthread_join(parts[i], NULL);
	pthread_create(&saver, NULL, save, NULL);
	pthread_join(parts[PARTS - 1], NULL);
	pthread_join(saver, NULL);
	return 0;
}
