/* Two threads take dates apart with gmtime_r().
 *
 * kind: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *check_year(void *arg)
{
	long year = (long)arg;
	time_t t = (year - 1970) * 31557600 + 86400 * 100;
	struct tm result, *tm = gmtime_r(&t, &result);

	if (tm->tm_year != year - 1900) {
		fprintf(stderr, "%ld became %d\n", year, tm->tm_year + 1900);
		exit(1);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, check_year, (void *)1999);
	pthread_create(&b, NULL, check_year, (void *)2020);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
