/* The buffers of the library calls are locked on both sides. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char status[64];
static char mirror[64];
static pthread_mutex_t status_lock = PTHREAD_MUTEX_INITIALIZER;

static void *reporter(void *arg)
{
	pthread_mutex_lock(&status_lock);
	snprintf(status, sizeof(status), "working on %d", 7); // NORACE
	pthread_mutex_unlock(&status_lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	strcpy(status, "idle"); // NORACE
	pthread_create(&t, NULL, reporter, NULL);
	pthread_mutex_lock(&status_lock);
	memcpy(mirror, status, sizeof(mirror)); // NORACE
	pthread_mutex_unlock(&status_lock);
	pthread_join(t, NULL);
	puts(mirror);
	puts(status); // NORACE
	return 0;
}
