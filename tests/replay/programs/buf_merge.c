/* Two processes wait, and while one does the other maps memory that both share from then on. */
#include "buf.h"

static void wake_with(struct buf *b, volatile unsigned *shared)
{
	for (int i = 0; i < 200; i++)
		*shared += t_rand_in(1, 9);
	buf_put(b);
}

int main(void)
{
	volatile unsigned *shared;
	struct buf to, from;
	pid_t pid;
	int fd;

	t_tmp();
	buf_open(&to);
	buf_open(&from);
	buf_warm(&to);
	for (int round = 0; round < 6; round++) {
		enum buf_kind k = (enum buf_kind)(round % BUF_KINDS);

		fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
		TRY(ftruncate(fd, 4096));
		pid = TRY(fork());
		shared = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
		if (!pid) {
			for (int i = 0; i < 5; i++) {
				CHECK(buf_wait(&to, k, -1) == 1);
				wake_with(&from, shared);
			}
			_exit(0);
		}
		if (round % 2)
			t_sleep_us(2000);
		for (int i = 0; i < 5; i++) {
			wake_with(&to, shared);
			CHECK(buf_wait(&from, k, -1) == 1);
			say("%d: %u\n", i, *shared);
		}
		CHECK(t_wait(pid) == 0);
		TRY(munmap((void *)shared, 4096));
		TRY(close(fd));
	}
	return 0;
}
