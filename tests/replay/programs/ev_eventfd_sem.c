/* eventfd in semaphore mode: each read takes one; processes race for them. */
#include "t.h"
#include <sys/eventfd.h>

int main(void)
{
	int fd = TRY(eventfd(0, EFD_SEMAPHORE));
	uint64_t v = 30, one;
	pid_t pids[3];

	for (int i = 0; i < 3; i++) {
		pids[i] = TRY(fork());
		if (pids[i])
			continue;
		for (int k = 0; k < 10; k++) {
			CHECK(read(fd, &one, 8) == 8 && one == 1);
			say("%d takes %d at %lu\n", i, k, t_now_ns());
		}
		_exit(0);
	}
	CHECK(write(fd, &v, 8) == 8);
	for (int i = 0; i < 3; i++)
		CHECK(t_wait(pids[i]) == 0);
	return 0;
}
