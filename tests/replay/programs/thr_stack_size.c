/* Threads with chosen stacks and guard sizes. */
#include "t.h"

static void *body(void *arg)
{
	volatile char frame[100000];
	pthread_attr_t a;
	size_t size, guard;
	void *addr;

	memset((void *)frame, 1, sizeof(frame));
	TRY0(pthread_getattr_np(pthread_self(), &a));
	TRY0(pthread_attr_getstack(&a, &addr, &size));
	TRY0(pthread_attr_getguardsize(&a, &guard));
	say("stack %p size %zu guard %zu\n", addr, size, guard);
	CHECK((char *)frame > (char *)addr && (char *)frame < (char *)addr + size);
	TRY0(pthread_attr_destroy(&a));
	return arg;
}

int main(void)
{
	static char own[262144] __attribute__((aligned(4096)));
	pthread_attr_t a;
	pthread_t th;

	for (size_t size = 1u << 18; size <= 1u << 24; size <<= 2) {
		TRY0(pthread_attr_init(&a));
		TRY0(pthread_attr_setstacksize(&a, size));
		TRY0(pthread_attr_setguardsize(&a, size / 16));
		TRY0(pthread_create(&th, &a, body, NULL));
		TRY0(pthread_join(th, NULL));
	}
	TRY0(pthread_attr_setstack(&a, own, sizeof(own)));
	TRY0(pthread_create(&th, &a, body, NULL));
	TRY0(pthread_join(th, NULL));
	return 0;
}
