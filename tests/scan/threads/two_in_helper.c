/* One function starts two threads with the same work and the same data; another one waits for both.
 * Two ids are two threads. */
#include <pthread.h>

struct plan {
	pthread_mutex_t lock;
	int done, early;
};

static pthread_t one, two;

static void *work(void *arg)
{
	struct plan *p = arg;

	pthread_mutex_lock(&p->lock);
	p->done++;  // NORACE
	p->early++; // RACE
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void begin(struct plan *p)
{
	pthread_create(&one, NULL, work, p);
	pthread_create(&two, NULL, work, p);
}

static int end(struct plan *p)
{
	int n;

	pthread_join(one, NULL);
	n = p->early; // RACE
	pthread_join(two, NULL);
	return n + p->done; // NORACE
}

int main(void)
{
	struct plan p = {.lock = PTHREAD_MUTEX_INITIALIZER};

	begin(&p);
	return end(&p);
}
