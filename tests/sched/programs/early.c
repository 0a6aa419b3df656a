/* A constructor starts a thread: there is nothing to fork before main. */
#include <pthread.h>
#include <unistd.h>
static pthread_t early;
static int fds[2];
static void *waits(void *p)
{
	char c;
	(void)!read(fds[0], &c, 1);
	return p;
}
static __attribute__((constructor)) void before(void)
{
	if (pipe(fds) == 0)
		pthread_create(&early, NULL, waits, NULL);
}
static void *work(void *p)
{
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	close(fds[1]);
	pthread_join(early, NULL);
	return 3;
}
