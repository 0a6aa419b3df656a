/* /proc/self/task lists the threads. */
#include "t.h"
#include <dirent.h>

static pthread_barrier_t bar;

static void *body(void *arg)
{
	pthread_barrier_wait(&bar);
	pthread_barrier_wait(&bar);
	return arg;
}

int main(void)
{
	struct dirent *e;
	pthread_t th[4];
	int n = 0;
	DIR *d;

	TRY0(pthread_barrier_init(&bar, NULL, 5));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, NULL));
	pthread_barrier_wait(&bar);
	d = opendir("/proc/self/task");
	CHECK(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.') {
			say("task %s\n", e->d_name);
			n++;
		}
	closedir(d);
	CHECK(n == 5);
	pthread_barrier_wait(&bar);
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
