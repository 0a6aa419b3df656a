/* usage: spin atomic|plain|yield|time|rmw: waits in a loop for what the other thread does. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
static atomic_int flag, gate;
static volatile int plain;
static const char *how;
static void *sets(void *p)
{
	for (int i = 0; i < 100; i++)
		sched_yield();
	atomic_store(&flag, 1);
	plain = 1;
	return p;
}
static void *holds(void *p)
{
	while (atomic_exchange(&gate, 1))
		;
	for (int i = 0; i < 50; i++)
		sched_yield();
	atomic_store(&gate, 0);
	return p;
}
static int waited(void)
{
	time_t start = time(NULL);
	if (strcmp(how, "atomic") == 0)
		while (!atomic_load(&flag))
			;
	else if (strcmp(how, "plain") == 0)
		while (!plain)
			;
	else if (strcmp(how, "yield") == 0)
		while (!atomic_load(&flag))
			sched_yield();
	else if (strcmp(how, "time") == 0)
		while (time(NULL) < start + 5)
			;
	return 0;
}
int main(int argc, char **argv)
{
	pthread_t t[3];
	how = argc > 1 ? argv[1] : "atomic";
	pthread_create(&t[0], NULL, sets, NULL);
	pthread_create(&t[1], NULL, holds, NULL);
	pthread_create(&t[2], NULL, holds, NULL);
	if (strcmp(how, "never") == 0)
		while (!atomic_load(&flag) || atomic_load(&flag) != 2)
			;
	else
		waited();
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
