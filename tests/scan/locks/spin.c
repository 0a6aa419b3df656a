/* pthread spinlocks. */
#include <pthread.h>

static pthread_spinlock_t spin;
static int ticks, tocks;

static void *clock_thread(void *arg)
{
	pthread_spin_lock(&spin);
	ticks++; // NORACE
	pthread_spin_unlock(&spin);
	tocks++; // RACE
	if (pthread_spin_trylock(&spin) == 0) {
		ticks--; // NORACE
		pthread_spin_unlock(&spin);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&a, NULL, clock_thread, NULL);
	pthread_create(&b, NULL, clock_thread, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return ticks + tocks; // NORACE
}
