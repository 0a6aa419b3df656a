/* Different sets of locks that have one in common. */
#include <pthread.h>

static int level;
static pthread_mutex_t level_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_lines;

static void *up(void *arg)
{
	pthread_mutex_lock(&log_lock);
	log_lines++; // NORACE
	pthread_mutex_lock(&level_lock);
	level++; // NORACE
	pthread_mutex_unlock(&level_lock);
	pthread_mutex_unlock(&log_lock);
	return NULL;
}

static void *down(void *arg)
{
	pthread_mutex_lock(&level_lock);
	level--; // NORACE
	pthread_mutex_unlock(&level_lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, up, NULL);
	pthread_create(&b, NULL, down, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return level + log_lines;
}
