/* SIGBUS behind the end of a mapped file that was cut short. */
#include "t.h"

static sigjmp_buf env;
static siginfo_t last;

static void on_bus(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	last = *si;
	siglongjmp(env, sig);
}

int main(void)
{
	char data[12288];
	volatile char *m;
	int fd;

	t_tmp();
	t_fill_random(data, sizeof(data));
	t_write_file("f", data, sizeof(data));
	fd = TRY(open("f", O_RDWR));
	m = TRY(mmap(NULL, sizeof(data), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	t_on_info(SIGBUS, on_bus, 0);
	CHECK(m[9000] == data[9000]);
	TRY(ftruncate(fd, 5000));
	say("%d then %d\n", m[4999], m[5000]);
	CHECK(m[5000] == 0);
	if (!sigsetjmp(env, 1)) {
		(void)m[9000];
		return 1;
	}
	say("signal %d code %d at %p\n", last.si_signo, last.si_code, last.si_addr);
	CHECK(last.si_signo == SIGBUS && last.si_addr == (void *)(m + 9000));
	return 0;
}
