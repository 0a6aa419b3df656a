/* What is registered for the end of the program runs beside threads that nobody waited for. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int open_files, told;

static void *work(void *arg)
{
	open_files++; // RACE
	return NULL;
}

static void say(void)
{
	told = open_files; // RACE
}

int main(void)
{
	pthread_t id;

	told = 0; // NORACE
	atexit(say);
	pthread_create(&id, NULL, work, NULL);
	pthread_detach(id);
	sleep(1);
	return 0;
}
