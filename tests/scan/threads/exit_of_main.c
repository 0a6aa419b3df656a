/* main leaves with pthread_exit while its thread goes on with main's last write. */
#include <pthread.h>

static int last_word;

static void *survivor(void *arg)
{
	last_word++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, survivor, NULL);
	last_word = 1; // RACE
	pthread_exit(NULL);
}
