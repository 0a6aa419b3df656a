/* futex_waitv waits on several words at once, where the kernel has it. */
#include "t.h"
#include <linux/futex.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif

static uint32_t words[4];

static void *waker(void *arg)
{
	uint32_t k = t_rand_in(0, 3);

	t_sleep_us(t_rand_in(500, 2000));
	__atomic_store_n(&words[k], 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &words[k], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return arg;
}

int main(void)
{
	struct {
		uint64_t val, uaddr;
		uint32_t flags, reserved;
	} w[4];
	pthread_t th;
	long r;

	for (int i = 0; i < 4; i++) {
		w[i].val = 0;
		w[i].uaddr = (uintptr_t)&words[i];
		w[i].flags = 2 | 128; /* 32 bits, private */
		w[i].reserved = 0;
	}
	TRY0(pthread_create(&th, NULL, waker, NULL));
	r = syscall(SYS_futex_waitv, w, 4, 0, NULL, 0);
	say("result %ld errno %d\n", r, r < 0 ? errno : 0);
	CHECK(r >= 0 || errno == EAGAIN || errno == ENOSYS);
	TRY0(pthread_join(th, NULL));
	for (int i = 0; i < 4; i++)
		say("word %d = %u\n", i, words[i]);
	return 0;
}
