/* MADV_DONTFORK and MADV_WIPEONFORK decide what a child sees. */
#include "t.h"

int main(void)
{
	char *gone =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	char *wiped =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	pid_t pid;

	memset(gone, 'g', 4096);
	t_fill_random(wiped, 4096);
	TRY(madvise(gone, 4096, MADV_DONTFORK));
	TRY(madvise(wiped, 4096, MADV_WIPEONFORK));
	pid = TRY(fork());
	if (!pid) {
		unsigned char v;

		CHECK(mincore(gone, 4096, &v) == -1 && errno == ENOMEM);
		for (int i = 0; i < 4096; i++)
			CHECK(wiped[i] == 0);
		say("child %d sees neither\n", getpid());
		_exit(0);
	}
	CHECK(t_wait(pid) == 0 && gone[5] == 'g');
	say("parent has %016lx\n", t_hash(wiped, 4096));
	return 0;
}
