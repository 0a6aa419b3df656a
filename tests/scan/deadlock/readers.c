/* Two read locks in both orders: readers do not wait for readers when nobody ever writes. */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1, y = 2;

static void *forward(void *arg)
{
	long sum;

	pthread_rwlock_rdlock(&a);
	pthread_rwlock_rdlock(&b); // NODEADLOCK
	sum = x + y;               // NORACE
	pthread_rwlock_unlock(&b);
	pthread_rwlock_unlock(&a);
	return (void *)sum;
}

static void *backward(void *arg)
{
	long sum;

	pthread_rwlock_rdlock(&b);
	pthread_rwlock_rdlock(&a); // NODEADLOCK
	sum = x - y;               // NORACE
	pthread_rwlock_unlock(&a);
	pthread_rwlock_unlock(&b);
	return (void *)sum;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, forward, NULL);
	pthread_create(&t, NULL, backward, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
