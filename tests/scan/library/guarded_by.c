/* Clang's attributes say which lock belongs to what. */
// norun
#include <pthread.h>

#ifdef __clang__
#define GUARDED_BY(x) __attribute__((guarded_by(x)))
#else
#define GUARDED_BY(x)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int guarded GUARDED_BY(m);

int bump(void)
{
	int n;

	pthread_mutex_lock(&m);
	n = ++guarded; // MAYBE RACE
	pthread_mutex_unlock(&m);
	return n;
}

int peek(void)
{
	return guarded; // RACE
}
