/* Detached threads, counted out through a pipe. */
#include "t.h"

static int p[2];

static void *body(void *arg)
{
	char c = (char)('a' + (intptr_t)arg);

	t_sleep_us(t_rand_in(0, 500));
	CHECK(write(p[1], &c, 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t th;
	char c;

	TRY(pipe(p));
	TRY0(pthread_attr_init(&attr));
	TRY0(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED));
	for (intptr_t i = 0; i < 12; i++) {
		TRY0(pthread_create(&th, i % 2 ? &attr : NULL, body, (void *)i));
		if (i % 2 == 0)
			TRY0(pthread_detach(th));
	}
	for (int i = 0; i < 12; i++) {
		CHECK(read(p[0], &c, 1) == 1);
		say("%c", c);
	}
	say("\n");
	return 0;
}
