/* READ_ONCE and WRITE_ONCE around an int that is otherwise plain. */
#include <pthread.h>

#define READ_ONCE(x)     (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))

static int level, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *setter(void *arg)
{
	pthread_mutex_lock(&m);
	WRITE_ONCE(level, 3); // NORACE
	other = 3;            // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int a, b;

	pthread_create(&t, NULL, setter, NULL);
	a = READ_ONCE(level); // NORACE
	b = other;            // RACE
	pthread_join(t, NULL);
	return a + b;
}
