/* Clang's attribute says which member is the lock, though nobody ever takes it here. */
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
	int beside;
};

void box_put(struct box *b, int n)
{
	b->inside = n; // RACE
	b->beside = n; // NORACE
}

int box_get(struct box *b)
{
	return b->inside; // RACE
}
