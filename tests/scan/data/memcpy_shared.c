/* Library functions read and write what their arguments point at. */
#include <pthread.h>
#include <string.h>
#include <stdio.h>

static char shared[64], guarded[64];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	char local[64];

	memset(shared, 'x', 10); // RACE
	pthread_mutex_lock(&m);
	strcpy(guarded, "hello");  // NORACE
	memcpy(local, guarded, 6); // NORACE
	pthread_mutex_unlock(&m);
	snprintf(local, sizeof(local), "%d", 3); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	char copy[64];

	pthread_create(&id, NULL, t_fun, NULL);
	memcpy(copy, shared, sizeof(copy)); // RACE
	pthread_mutex_lock(&m);
	guarded[0] = 'H';          // NORACE
	strncpy(copy, guarded, 5); // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return strlen(shared) == 4; // NORACE
}
