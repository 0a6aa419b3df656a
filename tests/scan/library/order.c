/* Two methods of a library lock two globals in opposite orders. */
// norun
#include <pthread.h>

static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static int users, files;

void login(void)
{
	pthread_mutex_lock(&users_lock);
	users++;                         // NORACE
	pthread_mutex_lock(&files_lock); // DEADLOCK
	files++;                         // NORACE
	pthread_mutex_unlock(&files_lock);
	pthread_mutex_unlock(&users_lock);
}

void purge(void)
{
	pthread_mutex_lock(&files_lock);
	files = 0;                       // NORACE
	pthread_mutex_lock(&users_lock); // DEADLOCK
	users = 0;                       // NORACE
	pthread_mutex_unlock(&users_lock);
	pthread_mutex_unlock(&files_lock);
}
