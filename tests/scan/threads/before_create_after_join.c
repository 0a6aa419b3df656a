/* Before the first create and behind the last join there is one thread only. */
#include <pthread.h>

int early, middle, late, always;

void *t_fun(void *arg)
{
	early++;  // NORACE
	middle++; // RACE
	late++;   // NORACE
	always++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	early = 1;  // NORACE
	always = 1; // NORACE
	pthread_create(&id, NULL, t_fun, NULL);
	middle = 2; // RACE
	always = 2; // RACE
	pthread_join(id, NULL);
	late = 3;   // NORACE
	always = 3; // NORACE
	return 0;
}
