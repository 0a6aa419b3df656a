/* Each round opens the gate for the threads of the rounds before: they run beside the next round.
 */
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int setup, passed;

static void *worker(void *arg)
{
	passed++; // RACE
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
	setup++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&gate);
		pthread_create(&t[i], NULL, worker, NULL);
		setup = i;  // RACE
		passed = i; // RACE
		pthread_mutex_unlock(&gate);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
