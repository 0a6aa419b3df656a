/* One of two locks, by a condition, and then a third; another thread takes the third and one of the
 * two in the other order, and with the last one in the same order. */
#include <pthread.h>

static pthread_mutex_t even = PTHREAD_MUTEX_INITIALIZER, odd = PTHREAD_MUTEX_INITIALIZER,
		       log_lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int lines, moved;

static void *writer(void *arg)
{
	long n = (long)arg;
	pthread_mutex_t *m = n % 2 ? &odd : &even;

	pthread_mutex_lock(m);         // DEADLOCK
	pthread_mutex_lock(&log_lock); // DEADLOCK
	lines++;
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_unlock(m);
	pthread_mutex_lock(m);      // NODEADLOCK
	pthread_mutex_lock(&other); // NODEADLOCK
	moved++;
	pthread_mutex_unlock(&other);
	pthread_mutex_unlock(m);
	return NULL;
}

static void *rotate(void *arg)
{
	pthread_mutex_lock(&log_lock); // DEADLOCK
	pthread_mutex_lock(&odd);      // DEADLOCK
	lines = 0;
	pthread_mutex_unlock(&odd);
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_lock(&even);  // NODEADLOCK
	pthread_mutex_lock(&other); // NODEADLOCK
	moved = 0;
	pthread_mutex_unlock(&other);
	pthread_mutex_unlock(&even);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, (void *)(long)argc);
	pthread_create(&b, NULL, rotate, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
