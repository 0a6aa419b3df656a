/* Helpers that look at a flag a million times before they block, while the main thread waits until
 * they have: patient, but not a livelock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#define HELPERS 2
#define LOOKS   1000000
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t asleep;
static atomic_int work;
static void *helper(void *p)
{
	for (int i = 0; i < LOOKS && !atomic_load(&work); i++)
		;
	if (!atomic_load(&work)) {
		sem_post(&asleep);
		pthread_mutex_lock(&gate);
		pthread_mutex_unlock(&gate);
	}
	return atomic_load(&work) ? NULL : p;
}
int main(void)
{
	pthread_t t[HELPERS];
	void *failed;
	sem_init(&asleep, 0, 0);
	pthread_mutex_lock(&gate);
	for (int i = 0; i < HELPERS; i++)
		pthread_create(&t[i], NULL, helper, t);
	for (int i = 0; i < HELPERS; i++)
		sem_wait(&asleep);
	atomic_store(&work, 1);
	pthread_mutex_unlock(&gate);
	for (int i = 0; i < HELPERS; i++) {
		pthread_join(t[i], &failed);
		if (failed)
			return 1;
	}
	return 0;
}
