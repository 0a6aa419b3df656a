/* The lock that clang's attribute names is held. */
// norun
#include <pthread.h>

#ifdef __clang__
#define GUARDED_BY(x) __attribute__((guarded_by(x)))
#else
#define GUARDED_BY(x)
#endif

struct box {
	pthread_mutex_t lock;
	int inside GUARDED_BY(lock);
};

void box_put(struct box *b, int n)
{
	pthread_mutex_lock(&b->lock);
	b->inside = n; // NORACE
	pthread_mutex_unlock(&b->lock);
}

int box_get(struct box *b)
{
	int n;

	pthread_mutex_lock(&b->lock);
	n = b->inside; // NORACE
	pthread_mutex_unlock(&b->lock);
	return n;
}
