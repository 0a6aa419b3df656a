/* One way to setjmp() comes with the lock, the other one has given it back. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static jmp_buf env, other;
static int value, first;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	value = 3; // RACE
	first++;   // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

static int work(int n)
{
	pthread_mutex_lock(&m);
	if (n > 3) {
		pthread_mutex_unlock(&m);
		longjmp(env, 1);
	}
	return 0;
}

static void again(void)
{
	pthread_mutex_lock(&m);
	longjmp(other, 7);
}

int main(int argc, char **argv)
{
	pthread_t id;

	pthread_create(&id, NULL, worker, NULL);
	switch (setjmp(other)) {
	case 0:
		again();
		break;
	case 7:
		first++; // NORACE
		pthread_mutex_unlock(&m);
		break;
	default:
		first++; // NORACE
	}
	if (setjmp(env) == 0) {
		work(argc);
		pthread_mutex_unlock(&m);
		pthread_join(id, NULL);
		return 0;
	}
	value = 5; // RACE
	pthread_join(id, NULL);
	return 0;
}
