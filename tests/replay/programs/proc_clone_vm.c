/* clone with CLONE_VM but not CLONE_THREAD: two processes, one memory. */
#include "t.h"

static volatile uint64_t cell;
static int fd = -1;

static int body(void *arg)
{
	cell = (uint64_t)getpid();
	fd = dup(1);
	say("child %d arg %ld\n", getpid(), (long)(intptr_t)arg);
	return 3;
}

int main(void)
{
	char *stack =
		TRY(mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	pid_t pid = TRY(clone(body, stack + 65536, CLONE_VM | CLONE_FILES | SIGCHLD, (void *)7L));

	t_say_status("child", t_wait(pid));
	CHECK(cell == (uint64_t)pid);
	TRY(close(fd)); /* the table of descriptors was shared */
	say("cell %lu\n", cell);
	return 0;
}
