/* The library writes and reads for us. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[32], title[32];
static int numbers[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	strcpy(name, "thread"); // RACE
	pthread_mutex_lock(&m);
	snprintf(title, sizeof(title), "%d", 5); // NORACE
	pthread_mutex_unlock(&m);
	memset(numbers, 0, sizeof(numbers)); // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	puts(name); // RACE
	pthread_mutex_lock(&m);
	strcat(title, "x"); // NORACE
	pthread_mutex_unlock(&m);
	numbers[3] = 1; // RACE
	pthread_join(id, NULL);
	return 0;
}
