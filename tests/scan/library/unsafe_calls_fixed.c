/* Their sisters that keep nothing, a lock around all calls, calls before there are threads, and
 * those that glibc has made safe. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct drand48_data seed;

static void *worker(void *arg)
{
	char words[] = "a b c", *rest;
	time_t now = time(NULL);
	struct tm tm;
	double d;

	localtime_r(&now, &tm); // NORACE
	printf("%d\n", tm.tm_hour);
	printf("%s\n", strtok_r(words, " ", &rest)); // NORACE
	printf("%s\n", getenv("HOME"));              // NORACE
	pthread_mutex_lock(&m);
	printf("%f\n", drand48()); // NORACE
	pthread_mutex_unlock(&m);
	drand48_r(&seed, &d);
	return (void *)(long)rand(); // NORACE
}

int main(void)
{
	char words[] = "d e f", *rest;
	time_t now = time(NULL);
	struct tm tm;
	pthread_t id;

	setenv("HOME", "/", 1);               // NORACE
	printf("%d\n", gmtime(&now)->tm_min); // NORACE
	srand48(1);                           // NORACE
	pthread_create(&id, NULL, worker, NULL);
	gmtime_r(&now, &tm);                         // NORACE
	printf("%s\n", strtok_r(words, " ", &rest)); // NORACE
	printf("%s\n", getenv("PATH"));              // NORACE
	pthread_mutex_lock(&m);
	printf("%f\n", drand48()); // NORACE
	pthread_mutex_unlock(&m);
	printf("%d\n", rand()); // NORACE
	pthread_join(id, NULL);
	printf("%s\n", strtok(words, " ")); // NORACE
	return 0;
}
