/* Readers share, the writer excludes; one reader writes a hit count. */
#include <pthread.h>

static struct {
	pthread_rwlock_t lock;
	int value, hits;
} s = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static void *reader(void *arg)
{
	int sum = 0;

	for (int i = 0; i < 100; i++) {
		pthread_rwlock_rdlock(&s.lock);
		sum += s.value; // NORACE
		s.hits++;       // RACE
		pthread_rwlock_unlock(&s.lock);
	}
	return (void *)(long)sum;
}

static void *writer(void *arg)
{
	pthread_rwlock_wrlock(&s.lock);
	s.value++; // NORACE
	pthread_rwlock_unlock(&s.lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_create(&c, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return s.value; // NORACE
}
