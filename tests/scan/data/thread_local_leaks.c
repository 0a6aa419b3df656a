/* Thread-local, but its address was published: now it is shared. */
#include <pthread.h>
#include <unistd.h>

static _Thread_local int mine;
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *arg)
{
	pthread_mutex_lock(&m);
	shared = &mine; // NORACE
	pthread_mutex_unlock(&m);
	usleep(1000);
	mine++; // RACE
	return NULL;
}

static void *guest(void *arg)
{
	pthread_mutex_lock(&m);
	if (shared)          // NORACE
		*shared = 7; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, owner, NULL);
	pthread_create(&b, NULL, guest, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return 0;
}
