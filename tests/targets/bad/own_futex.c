/* Waits for its thread with a system call that is written out: no library is called that could be
 * taken over. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

static atomic_int done;

static long futex(atomic_int *word, long op, long value)
{
	register long timeout __asm__("r10") = 0;
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"((long)SYS_futex), "D"(word), "S"(op), "d"(value), "r"(timeout)
			 : "rcx", "r11", "memory");
	return r;
}

static void *worker(void *arg)
{
	done = 1;
	futex(&done, FUTEX_WAKE, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	while (!done)
		futex(&done, FUTEX_WAIT, 0);
	pthread_join(t, NULL);
	return 0;
}
