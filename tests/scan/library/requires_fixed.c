/* Callers that nobody sees are believed to hold what is required; those that are seen hold it. */
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

void add(struct account *a, int n) SAYS(requires_capability(a->lock));
void twice(struct account *a, int n) SAYS(requires_capability(a->lock));

void add(struct account *a, int n)
{
	a->balance += n; // NORACE
}

void twice(struct account *a, int n)
{
	add(a, n); // NOMISUSE
	add(a, n); // NOMISUSE
}

void deposit(struct account *a, int n)
{
	pthread_mutex_lock(&a->lock);
	add(a, n); // NOMISUSE
	pthread_mutex_unlock(&a->lock);
}
