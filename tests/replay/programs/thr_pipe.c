/* Threads of one process talk over a pipe, blocking in read. */
#include "t.h"

static int p[2];

static void *writer(void *arg)
{
	for (int i = 0; i < 20; i++) {
		char c = (char)('a' + (intptr_t)arg);

		CHECK(write(p[1], &c, 1) == 1);
		t_sleep_us(t_rand_in(0, 100));
	}
	return NULL;
}

static void *reader(void *arg)
{
	char c;

	for (int i = 0; i < 30; i++) {
		CHECK(read(p[0], &c, 1) == 1);
		say("%ld%c ", (long)(intptr_t)arg, c);
	}
	return NULL;
}

int main(void)
{
	pthread_t th[5];

	TRY(pipe(p));
	for (intptr_t i = 0; i < 5; i++)
		TRY0(pthread_create(&th[i], NULL, i < 3 ? writer : reader, (void *)i));
	for (int i = 0; i < 5; i++)
		TRY0(pthread_join(th[i], NULL));
	say("\n");
	return 0;
}
