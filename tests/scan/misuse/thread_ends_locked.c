/* A thread ends with a lock held, which then nobody can take any more. */
#include <pthread.h>

static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER, given = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *keeps(void *arg)
{
	pthread_mutex_lock(&kept); // MISUSE
	if (arg)
		return arg;
	count++; // NORACE
	return NULL;
}

static void *gives(void *arg)
{
	pthread_mutex_lock(&given); // NOMISUSE
	count++;                    // NORACE
	pthread_mutex_unlock(&given);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id;

	pthread_create(&id, NULL, keeps, argc > 1 ? argv : NULL);
	pthread_join(id, NULL);
	pthread_create(&id, NULL, gives, NULL);
	pthread_join(id, NULL);
	return count; // NORACE
}
