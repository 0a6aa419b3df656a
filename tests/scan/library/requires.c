/* A function says that its callers hold a lock; one of them does not. */
// norun
#include <pthread.h>

#ifdef __clang__
#define SAYS(...) __attribute__((__VA_ARGS__))
#else
#define SAYS(...)
#endif

struct account {
	pthread_mutex_t lock;
	int balance;
};

static void add(struct account *a, int n) SAYS(requires_capability(a->lock));

static void add(struct account *a, int n)
{
	a->balance += n; // RACE
}

void deposit(struct account *a, int n)
{
	pthread_mutex_lock(&a->lock);
	add(a, n); // NOMISUSE
	pthread_mutex_unlock(&a->lock);
}

void bonus(struct account *a)
{
	add(a, 1); // MISUSE
}
