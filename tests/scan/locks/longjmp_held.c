/* longjmp() with the lock held: it is held behind setjmp(), too, and given back there. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf env;
static int value;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	value = 3; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static void step(int n)
{
	if (n > 3)
		longjmp(env, n);
}

static int work(int n)
{
	pthread_mutex_lock(&m);
	step(n);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t id;

	pthread_create(&id, NULL, worker, NULL);
	if (setjmp(env) == 0)
		work(argc);
	value = 5; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
