/* userfaultfd: a second thread fills pages on demand, where the kernel lets it. */
#include "t.h"
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

static int uffd;

static void *filler(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct uffd_msg msg;
		char page[4096];
		struct uffdio_copy copy = {.src = (uintptr_t)page, .len = 4096};

		CHECK(read(uffd, &msg, sizeof(msg)) == sizeof(msg));
		memset(page, 'A' + i, sizeof(page));
		copy.dst = msg.arg.pagefault.address & ~4095ull;
		TRY(ioctl(uffd, UFFDIO_COPY, &copy));
	}
	return arg;
}

int main(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register reg = {.mode = UFFDIO_REGISTER_MODE_MISSING};
	pthread_t th;
	char *m;

	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (uffd < 0) {
		say("refused with %d, pid %d\n", errno, getpid());
		return 0;
	}
	TRY(ioctl(uffd, UFFDIO_API, &api));
	m = TRY(mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	reg.range.start = (uintptr_t)m;
	reg.range.len = 4 * 4096;
	TRY(ioctl(uffd, UFFDIO_REGISTER, &reg));
	TRY0(pthread_create(&th, NULL, filler, NULL));
	for (int i = 0; i < 4; i++)
		say("%c", ((volatile char *)m)[((i * 7 + 3) % 4) * 4096]);
	say(" %p\n", (void *)m);
	TRY0(pthread_join(th, NULL));
	return 0;
}
