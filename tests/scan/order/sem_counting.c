/* A semaphore that starts at 2 lets two threads in. */
#include <pthread.h>
#include <semaphore.h>

static sem_t seats;
static int served;

static void *guest(void *arg)
{
	sem_wait(&seats);
	served++; // RACE
	sem_post(&seats);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	sem_init(&seats, 0, 2);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, guest, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return served; // NORACE
}
