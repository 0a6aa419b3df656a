/* clone by hand with CLONE_VM and friends, and a futex that the kernel clears at exit. */
#include "t.h"
#include <linux/futex.h>

static int child_tid, parent_tid;
static volatile uint64_t shared;

static int body(void *arg)
{
	shared = (uint64_t)(intptr_t)arg + (uint64_t)syscall(SYS_gettid);
	syscall(SYS_exit, 0);
	return 0;
}

int main(void)
{
	char *stack = TRY(mmap(NULL, 65536, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0));
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		    CLONE_SYSVSEM | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_PARENT_SETTID;

	for (intptr_t i = 0; i < 5; i++) {
		int tid, v;

		child_tid = -1; /* until the child's own first step */
		tid = TRY(clone(
			body, stack + 65536, flags, (void *)i, &parent_tid, NULL, &child_tid));
		CHECK(parent_tid == tid);
		while ((v = __atomic_load_n(&child_tid, __ATOMIC_ACQUIRE)) != 0)
			syscall(SYS_futex, &child_tid, FUTEX_WAIT, v, NULL, NULL, 0);
		say("thread %d left %lu\n", tid, shared);
		CHECK(shared == (uint64_t)tid + (uint64_t)i);
	}
	return 0;
}
