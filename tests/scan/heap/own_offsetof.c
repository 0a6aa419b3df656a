/* The object is found from its member by an offset that is counted from a null pointer. */
#include <pthread.h>

#define place_of(type, member) ((unsigned long)&((type *)0)->member)
#define object_of(p, type, member)                                                                 \
	({                                                                                         \
		const __typeof__(((type *)0)->member) *inner = (p);                                \
		(type *)((char *)inner - place_of(type, member));                                  \
	})

struct timer {
	long when;
};

struct session {
	pthread_mutex_t lock;
	int hits[3];
	struct timer timeout;
	struct {
		int open, closed;
	} count;
};

static void *fires(void *arg)
{
	struct timer *t = arg;
	struct session *s = object_of(t, struct session, timeout);

	pthread_mutex_lock(&s->lock);
	s->count.open++;   // RACE
	s->count.closed++; // NORACE
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

int main(void)
{
	struct session s = {.lock = PTHREAD_MUTEX_INITIALIZER};
	pthread_t t;

	pthread_create(&t, NULL, fires, &s.timeout);
	s.count.open = 7; // RACE
	pthread_mutex_lock(&s.lock);
	s.count.closed = 7; // NORACE
	pthread_mutex_unlock(&s.lock);
	pthread_join(t, NULL);
	return 0;
}
