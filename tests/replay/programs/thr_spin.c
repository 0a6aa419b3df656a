/* A spin lock between three threads. */
#include "t.h"

static pthread_spinlock_t lock;
static char order[301];
static int n;

static void *body(void *arg)
{
	for (int i = 0; i < 100; i++) {
		TRY0(pthread_spin_lock(&lock));
		order[n++] = (char)('a' + (intptr_t)arg);
		TRY0(pthread_spin_unlock(&lock));
		for (volatile unsigned k = t_rand_in(0, 2000); k; k--)
			continue;
	}
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	TRY0(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	CHECK(n == 300);
	say("%s\n", order);
	return 0;
}
