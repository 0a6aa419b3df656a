/* Locks in assembly that only their attributes say are locks; each thread takes another one. */
#include <pthread.h>

#ifdef __clang__
#define SAYS(...) __attribute__((__VA_ARGS__))
#else
#define SAYS(...)
#endif

struct spin {
	int word;
};

static struct spin a, b;
static int n;

static void enter(struct spin *s) SAYS(acquire_capability(*s));
static void leave(struct spin *s) SAYS(release_capability(*s));

static void enter(struct spin *s)
{
	__asm__ volatile("1: lock; btsl $0, %0; jc 1b" : "+m"(s->word) : : "memory");
}

static void leave(struct spin *s)
{
	__asm__ volatile("lock; andl $0, %0" : "+m"(s->word) : : "memory");
}

static void bump(void)
{
	enter(&a);
	n++; // RACE
	leave(&a);
}

static void *work(void *arg)
{
	enter(&b);
	n++; // RACE
	leave(&b);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	bump();
	pthread_join(t, NULL);
	return 0;
}
