/* Who exchanges 0 for 1 owns the data; who gives it back stores 0. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int data, attempts;

static void *t_fun(void *arg)
{
	for (int i = 0; i < 100; i++) {
		attempts++; // RACE
		if (atomic_exchange(&taken, 1) == 0) {
			data++; // NORACE
			atomic_store(&taken, 0);
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return data == attempts; // NORACE
}
