/* A broadcast releases eight threads; the order of their steps is printed. */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER, here = PTHREAD_COND_INITIALIZER;
static int generation, waiting;

static void *body(void *arg)
{
	for (int g = 0; g < 5; g++) {
		TRY0(pthread_mutex_lock(&m));
		waiting++;
		TRY0(pthread_cond_signal(&here));
		while (generation == g)
			TRY0(pthread_cond_wait(&go, &m));
		say("%c", (char)('a' + (intptr_t)arg));
		TRY0(pthread_mutex_unlock(&m));
	}
	return NULL;
}

int main(void)
{
	pthread_t th[8];

	for (intptr_t i = 0; i < 8; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int g = 0; g < 5; g++) {
		TRY0(pthread_mutex_lock(&m));
		while (waiting < 8)
			TRY0(pthread_cond_wait(&here, &m));
		waiting = 0;
		generation++;
		say("\n%d ", g);
		TRY0(pthread_cond_broadcast(&go));
		TRY0(pthread_mutex_unlock(&m));
	}
	for (int i = 0; i < 8; i++)
		TRY0(pthread_join(th[i], NULL));
	say("\n");
	return 0;
}
