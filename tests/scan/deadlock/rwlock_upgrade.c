/* A reader that wants to write waits for itself. */
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int n;

static void *t_fun(void *arg)
{
	pthread_rwlock_rdlock(&rw);
	if (n == 0) {                       // NORACE
		pthread_rwlock_wrlock(&rw); // MISUSE
		n = 1;                      // NORACE
	}
	pthread_rwlock_unlock(&rw);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, t_fun, NULL);
	pthread_rwlock_rdlock(&rw); // MAYBE MISUSE
	pthread_rwlock_unlock(&rw);
	pthread_join(t, NULL);
	return 0;
}
