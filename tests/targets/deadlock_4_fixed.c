/* deadlock_4.c, mended: a stage lets go of its own lock before it takes the next one.
 *
 * kind: none */
#include <pthread.h>

#define STAGES 4

static pthread_mutex_t lock[STAGES];
static int parcels[STAGES] = {1, 1, 1, 1};

static void *stage(void *arg)
{
	int own = (int)(long)arg, next = (own + 1) % STAGES;

	pthread_mutex_lock(&lock[own]);
	parcels[own]--;
	pthread_mutex_unlock(&lock[own]);
	pthread_mutex_lock(&lock[next]);
	parcels[next]++;
	pthread_mutex_unlock(&lock[next]);
	return NULL;
}

int main(void)
{
	pthread_t stages[STAGES];

	for (int i = 0; i < STAGES; i++)
		pthread_mutex_init(&lock[i], NULL);
	for (long i = 0; i < STAGES; i++)
		pthread_create(&stages[i], NULL, stage, (void *)i);
	for (int i = 0; i < STAGES; i++)
		pthread_join(stages[i], NULL);
	return 0;
}
