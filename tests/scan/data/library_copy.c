/* The C library writes and reads on the caller's behalf. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char status[64];
static char mirror[64];

static void *reporter(void *arg)
{
	snprintf(status, sizeof(status), "working on %d", 7); // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	strcpy(status, "idle"); // NORACE
	pthread_create(&t, NULL, reporter, NULL);
	memcpy(mirror, status, sizeof(mirror)); // RACE
	pthread_join(t, NULL);
	puts(mirror);
	puts(status); // NORACE
	return 0;
}
