/* The address of a local is put into a global that another thread follows. */
#include <pthread.h>

static int *mailbox;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	int *p;

	pthread_mutex_lock(&m);
	p = mailbox; // NORACE
	pthread_mutex_unlock(&m);
	if (p)
		*p = 3; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int letter = 0;

	pthread_mutex_lock(&m);
	mailbox = &letter; // NORACE
	pthread_mutex_unlock(&m);
	pthread_create(&t, NULL, reader, NULL);
	letter = 4; // RACE
	pthread_join(t, NULL);
	return letter; // NORACE
}
