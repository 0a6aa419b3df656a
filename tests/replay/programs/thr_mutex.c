/* A mutex protects a counter; who gets it when is printed. */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static char order[201];

static void *body(void *arg)
{
	for (int i = 0; i < 50; i++) {
		TRY0(pthread_mutex_lock(&m));
		order[counter++] = (char)('a' + (intptr_t)arg);
		if (i % 7 == 0)
			sched_yield();
		TRY0(pthread_mutex_unlock(&m));
		if (i % 5 == 0)
			t_sleep_us(20);
	}
	return NULL;
}

int main(void)
{
	pthread_t th[4];

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	CHECK(counter == 200);
	say("%s\n", order);
	return 0;
}
