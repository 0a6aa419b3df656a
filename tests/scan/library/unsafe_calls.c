/* Functions of the C library that have one buffer for all callers, and the environment. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	char words[] = "a b c";
	time_t now = time(NULL);
	struct tm *tm;

	pthread_mutex_lock(&m);
	tm = localtime(&now); // RACE
	printf("%d\n", tm->tm_hour);
	pthread_mutex_unlock(&m);
	printf("%s\n", strtok(words, " ")); // RACE
	printf("%s\n", getenv("HOME"));     // RACE
	printf("%f\n", drand48());          // RACE
	return NULL;
}

int main(void)
{
	char words[] = "d e f";
	time_t now = time(NULL);
	pthread_t id;

	pthread_create(&id, NULL, worker, NULL);
	printf("%d\n", gmtime(&now)->tm_min); // RACE
	printf("%s\n", strtok(words, " "));   // RACE
	setenv("HOME", "/", 1);               // RACE
	printf("%f\n", drand48());            // RACE
	pthread_join(id, NULL);
	return 0;
}
