/* A hand-made "once" sets its flag before the work is done, so a second caller goes on with what
 * is not there yet.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static int squares[8];

static void init_once(void)
{
	if (atomic_exchange(&done, 1)) /* BUG */
		return;
	for (int i = 0; i < 8; i++)
		squares[i] = i * i; /* BUG */
}

static void *user(void *arg)
{
	init_once();
	assert(squares[7] == 49); /* BUG */
	return arg;
}

int main(void)
{
	pthread_t users[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, user, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	return 0;
}
