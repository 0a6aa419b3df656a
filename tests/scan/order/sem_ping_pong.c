/* Two semaphores pass the turn to and fro. */
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *player(void *arg)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&ping);
		ball++; // MISS NORACE
		sem_post(&pong);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&ping, 0, 0);
	sem_init(&pong, 0, 0);
	pthread_create(&t, NULL, player, NULL);
	for (int i = 0; i < 5; i++) {
		ball *= 2; // MISS NORACE
		sem_post(&ping);
		sem_wait(&pong);
	}
	pthread_join(t, NULL);
	return ball; // NORACE
}
