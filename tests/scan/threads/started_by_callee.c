/* A library starts its thread in init() and stops it in exit(). */
#include <pthread.h>

static pthread_t tid;
static int running, counter, config;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *loop(void *arg)
{
	int go = 1;

	while (go) {
		pthread_mutex_lock(&m);
		go = running; // NORACE
		pthread_mutex_unlock(&m);
		counter += config; // RACE
	}
	return NULL;
}

static void lib_init(void)
{
	config = 3;  // NORACE
	running = 1; // NORACE
	pthread_create(&tid, NULL, loop, NULL);
}

static void lib_exit(void)
{
	pthread_mutex_lock(&m);
	running = 0; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(tid, NULL);
	counter = 0; // NORACE
}

int main(void)
{
	int c;

	lib_init();
	c = counter; // RACE
	lib_exit();
	return c == 1000000 || counter; // NORACE
}
