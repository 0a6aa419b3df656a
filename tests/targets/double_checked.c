/* Double-checked locking that publishes the object before it is filled: the look without the lock
 * finds it, and uses what is not there yet.
 *
 * kind: data-race
 * harm: crash */
#include <pthread.h>
#include <stdlib.h>

struct config {
	int *limits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config;
static int limits[4] = {1, 2, 3, 4};

static struct config *get_config(void)
{
	if (!config) { /* BUG */
		pthread_mutex_lock(&lock);
		if (!config) {
			config = calloc(1, sizeof(*config)); /* BUG */
			config->limits = limits;             /* BUG */
		}
		pthread_mutex_unlock(&lock);
	}
	return config;
}

static void *user(void *arg)
{
	*(int *)arg = get_config()->limits[1]; /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t users[2];
	int limit[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, user, &limit[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	free(config);
	return limit[0] + limit[1] != 4;
}
