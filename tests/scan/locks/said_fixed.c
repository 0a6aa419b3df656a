/* A lock in assembly: only its attributes say that it is one. */
#include <pthread.h>

#ifdef __clang__
#define SAYS(...) __attribute__((__VA_ARGS__))
#else
#define SAYS(...)
#endif

struct spin {
	int word;
};

static struct spin a;
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
	n++; // NORACE
	leave(&a);
}

static void *work(void *arg)
{
	enter(&a);
	n++; // NORACE
	leave(&a);
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
