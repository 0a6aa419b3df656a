/* main returns a status that another thread works out, and sleeps where it should join.
 *
 * kind: order-violation
 * harm: status */
#include <pthread.h>
#include <unistd.h>

static int verified;

static void *verify(void *arg)
{
	verified = 1; /* BUG */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, verify, NULL);
	usleep(20000); /* BUG */
	return verified ? 0 : 3;
}
