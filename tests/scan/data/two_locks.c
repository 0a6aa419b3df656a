/* Each side holds a lock, but not the same one. */
#include <pthread.h>

static int level;
static pthread_mutex_t up_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t down_lock = PTHREAD_MUTEX_INITIALIZER;

static void *up(void *arg)
{
	pthread_mutex_lock(&up_lock);
	level++; // RACE
	pthread_mutex_unlock(&up_lock);
	return NULL;
}

static void *down(void *arg)
{
	pthread_mutex_lock(&down_lock);
	level--; // RACE
	pthread_mutex_unlock(&down_lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, up, NULL);
	pthread_create(&b, NULL, down, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return level; // NORACE
}
