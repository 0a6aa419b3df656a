/* When the program ends, the thread has ended: by return, and where exit() is called. */
#include <pthread.h>
#include <stdlib.h>

static int open_files, told;

static void *work(void *arg)
{
	open_files++; // NORACE
	return NULL;
}

static void say(void)
{
	told = open_files; // NORACE
}

static void say_more(int status, void *arg)
{
	*(int *)arg += status; // NORACE
}

int main(int argc, char **argv)
{
	pthread_t id;

	if (argc > 3)
		exit(1);
	atexit(say);
	on_exit(say_more, &told);
	pthread_create(&id, NULL, work, NULL);
	pthread_join(id, NULL);
	if (argc > 2)
		exit(2);
	return 0;
}
