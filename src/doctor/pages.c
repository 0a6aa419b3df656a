/* Which pages a program has written since a moment: two ways to know without comparing them all. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/userfaultfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd.h"
#include "doctor/probe.h"

/* Newer than the headers of the oldest system that we build on (Linux 6.7). */
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1ULL << 15)
#endif
#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1ULL << 13)
#endif
#ifndef PAGEMAP_SCAN
struct page_region {
	uint64_t start, end, categories;
};
struct pm_scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
#define PAGE_IS_WRITTEN (1 << 1)
#define PAGEMAP_SCAN    _IOWR('f', 16, struct pm_scan_arg)
#endif

#define PAGES 4

/* Write-protects memory without a handler: a userfaultfd, or -errno. */
static int protect(char *mem, size_t size)
{
	struct uffdio_api api = {
		.api = UFFD_API,
		.features = UFFD_FEATURE_WP_ASYNC | UFFD_FEATURE_WP_UNPOPULATED,
	};
	struct uffdio_register reg = {
		.range = {.start = (uint64_t)(uintptr_t)mem, .len = size},
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect wp = {
		.range = {.start = (uint64_t)(uintptr_t)mem, .len = size},
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

	if (fd < 0)
		return -errno;
	if (ioctl(fd, UFFDIO_API, &api) < 0 || ioctl(fd, UFFDIO_REGISTER, &reg) < 0 ||
		ioctl(fd, UFFDIO_WRITEPROTECT, &wp) < 0)
		return -errno;
	return fd;
}

/* Asks which pages were written since: 0 when it is the one at index, or -errno. */
static int scan_for(char *mem, size_t page, size_t index)
{
	struct page_region found[PAGES] = {0};
	struct pm_scan_arg arg = {
		.size = sizeof(arg),
		.start = (uint64_t)(uintptr_t)mem,
		.end = (uint64_t)(uintptr_t)mem + PAGES * page,
		.vec = (uint64_t)(uintptr_t)found,
		.vec_len = PAGES,
		.category_mask = PAGE_IS_WRITTEN,
		.return_mask = PAGE_IS_WRITTEN,
	};
	DH_FD int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	int n = fd < 0 ? -1 : ioctl(fd, PAGEMAP_SCAN, &arg);

	if (n < 0)
		return -errno;
	return n == 1 && found[0].start == arg.start + index * page ? 0 : -ENODATA;
}

static char *map_pages(size_t page)
{
	char *mem = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

void dh_probe_written_pages(struct dh_probe_result *ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *mem = map_pages(page);
	int r = mem ? protect(mem, PAGES * page) : -ENOMEM;

	if (r >= 0) {
		mem[2 * page] = 1;
		r = scan_for(mem, page, 2);
	}
	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "PAGEMAP_SCAN saw the page that was written");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-r));
	dh_probe_mend(ret,
		"needs Linux 6.7, /proc, and userfaultfd allowed in the sandbox; without "
		"it, whole memory is compared");
}

void dh_probe_soft_dirty(struct dh_probe_result *ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *mem = map_pages(page);
	DH_FD int clear = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	DH_FD int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry[2] = {0};
	off_t at = (off_t)((uintptr_t)mem / page * sizeof(entry[0]));
	int r = mem ? 0 : -ENOMEM;

	if (r == 0 && (clear < 0 || map < 0 || write(clear, "4", 1) != 1))
		r = -errno;
	if (r == 0) {
		mem[page] = 1;
		if (pread(map, entry, sizeof(entry), at) != sizeof(entry))
			r = -errno;
	}
	if (r == 0 && (entry[0] >> 55 & 1) == 0 && (entry[1] >> 55 & 1) == 1) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "the page that was written is marked");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "%s",
		r < 0 ? strerror(-r) : "pages are not marked (no CONFIG_MEM_SOFT_DIRTY)");
	dh_probe_mend(ret, "not needed when written pages can be found by PAGEMAP_SCAN");
}
