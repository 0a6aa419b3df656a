/* Read and write locks in both orders: each waits for a writer. */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;

static void *forward(void *arg)
{
	pthread_rwlock_rdlock(&a);
	pthread_rwlock_wrlock(&b); // DEADLOCK
	y = x;                     // NORACE
	pthread_rwlock_unlock(&b);
	pthread_rwlock_unlock(&a);
	return NULL;
}

static void *backward(void *arg)
{
	pthread_rwlock_rdlock(&b);
	pthread_rwlock_wrlock(&a); // DEADLOCK
	x = y;                     // NORACE
	pthread_rwlock_unlock(&a);
	pthread_rwlock_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, forward, NULL);
	pthread_create(&t, NULL, backward, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return x + y;
}
