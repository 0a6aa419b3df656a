/* Locals of main: one is handed to the thread, one only looks like it. */
#include <pthread.h>

void *t_fun(void *arg)
{
	int *p = arg;

	(*p)++; // RACE
	return NULL;
}

static void harmless(int *p)
{
	(*p)++; // NORACE
}

int main(void)
{
	pthread_t id;
	int escapes = 0;
	int stays = 0;
	int *alias = &escapes;

	stays++;   // NORACE
	escapes++; // NORACE
	pthread_create(&id, NULL, t_fun, alias);
	stays++;          // NORACE
	harmless(&stays); // NORACE
	escapes++;        // RACE
	pthread_join(id, NULL);
	escapes++; // NORACE
	return escapes + stays;
}
