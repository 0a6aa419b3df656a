/* once_by_hand.c, mended: the flag is set after the work, and under the lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;
static int squares[8];

static void init_once(void)
{
	pthread_mutex_lock(&lock);
	if (!atomic_load(&done)) {
		for (int i = 0; i < 8; i++)
			squares[i] = i * i;
		atomic_store(&done, 1);
	}
	pthread_mutex_unlock(&lock);
}

static void *user(void *arg)
{
	init_once();
	assert(squares[7] == 49);
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
