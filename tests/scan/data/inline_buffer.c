/* Offsets within one buffer: halves by memcpy, and overlapping ones. */
#include <pthread.h>
#include <string.h>

static char halves[32], mixed[32];

static void *t_fun(void *arg)
{
	memset(halves, 1, 16); // NORACE
	memset(mixed, 1, 20);  // MISS RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	memset(halves + 16, 2, 16); // NORACE
	memset(mixed + 16, 2, 16);  // MISS RACE
	pthread_join(id, NULL);
	return halves[3]; // NORACE
}
