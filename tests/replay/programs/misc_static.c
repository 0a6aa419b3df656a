/* A static executable: no dynamic loader, another start, another malloc. */
#include "t.h"

int main(void)
{
	void *p = malloc(100000);
	pid_t pid;

	CHECK(p);
	say("static: main %p heap %p pid %d at %lu\n", (void *)(uintptr_t)main, p, getpid(),
		t_now_ns());
	free(p);
	pid = TRY(fork());
	if (!pid)
		_exit(13);
	t_say_status("child", t_wait(pid));
	return 0;
}
