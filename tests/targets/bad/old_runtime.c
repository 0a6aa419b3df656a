/* A scheduling runtime of another version: claims the control block as the real one does, and says
 * which version it is.  The host must see that, and say so. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire/sched.h"

__attribute__((constructor)) static void claim(void)
{
	const char *fd = getenv(DH_SCHED_ENV);
	struct dh_sched_ctl *ctl;

	if (!fd)
		return;
	ctl = mmap(NULL, sizeof(*ctl), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(fd), 0);
	if (ctl == MAP_FAILED)
		return;
	ctl->runtime_version = DH_SCHED_VERSION + 1;
	ctl->claimed = (uint32_t)getpid();
}

/* What an instrumented program calls. */
#define CALLED(name, ...)                                                                          \
	void name(__VA_ARGS__);                                                                    \
	void name(__VA_ARGS__)                                                                     \
	{                                                                                          \
	}

CALLED(__tsan_init, void)
CALLED(__tsan_func_entry, const void *pc __attribute__((unused)))
CALLED(__tsan_func_exit, void)
CALLED(__tsan_read4, const void *at __attribute__((unused)))
CALLED(__tsan_write4, const void *at __attribute__((unused)))
CALLED(__tsan_read8, const void *at __attribute__((unused)))
CALLED(__tsan_write8, const void *at __attribute__((unused)))
