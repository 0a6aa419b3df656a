/* A configuration is copied out under the lock and used outside. */
#include <pthread.h>

struct config {
	int a, b;
	char name[8];
};

static struct config config;
static int changes;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct config snapshot(void)
{
	struct config c;

	pthread_mutex_lock(&m);
	c = config; // NORACE
	pthread_mutex_unlock(&m);
	return c;
}

static void *t_fun(void *arg)
{
	struct config c = snapshot();

	c.a++;                                // NORACE
	return (void *)(long)(c.a + changes); // RACE
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m);
	config.a = 4;         // NORACE
	config.name[0] = 'x'; // NORACE
	pthread_mutex_unlock(&m);
	changes++; // RACE
	pthread_join(id, NULL);
	return config.b; // NORACE
}
