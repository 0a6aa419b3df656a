/* The object is private until it is stored in a global; the last line comes after that. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int id, alive;
};

static struct session *latest;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *opener(void *arg)
{
	struct session *s = malloc(sizeof(*s));

	s->id = 7;    // NORACE
	s->alive = 0; // NORACE
	pthread_mutex_lock(&m);
	latest = s; // NORACE
	pthread_mutex_unlock(&m);
	s->alive = 1; // RACE
	return NULL;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&m);
	if (latest)                // NORACE
		latest->alive = 0; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, opener, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
