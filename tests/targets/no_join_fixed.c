/* no_join.c, mended: main joins the thread.
 *
 * kind: none */
#include <pthread.h>

static int verified;

static void *verify(void *arg)
{
	verified = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, verify, NULL);
	pthread_join(t, NULL);
	return verified ? 0 : 3;
}
