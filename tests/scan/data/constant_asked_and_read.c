/* What is behind a question whether it is constant is read all the same. */
#include <pthread.h>
#include <string.h>

struct item {
	int size;
	struct item *next;
};

static struct item head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int rounded(struct item *p)
{
	if (!__builtin_constant_p(p->size))
		return p->size & ~7;                                 // RACE
	if (__builtin_constant_p(p->next->size + 1) && p->size == 8) // NORACE
		return 8;
	return (int)__builtin_object_size(p->next, 0); // NORACE
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	head.size += 8;  // RACE
	head.next = arg; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	struct item other = {0};
	pthread_t a, b;
	int n;

	pthread_create(&a, NULL, worker, &other);
	pthread_create(&b, NULL, worker, &other);
	n = rounded(&head);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n;
}
