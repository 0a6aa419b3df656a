/* main ends with pthread_exit; the last thread decides the status. */
#include "t.h"

static void *body(void *arg)
{
	t_sleep_us((unsigned)(intptr_t)arg * 1000);
	say("thread %ld at %lu\n", (long)(intptr_t)arg, t_now_ns());
	if ((intptr_t)arg == 3)
		exit(0);
	return NULL;
}

int main(void)
{
	pthread_t th;

	for (intptr_t i = 1; i < 4; i++)
		TRY0(pthread_create(&th, NULL, body, (void *)i));
	pthread_exit(NULL);
}
