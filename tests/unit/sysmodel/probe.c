#include "probe.h"

#include <asm/unistd_64.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fd.h"
#include "sysmodel/sysmodel.h"

#define POOL  (512UL << 10)
#define USED  (256UL << 10) /* the rest is for generous bounds to run into */
#define GAP   64
#define PAGE  4096UL
#define MAX_N 1024

static unsigned char *pool, *before;
static size_t used;
static int memory = -1;
static int64_t last_bytes;
static bool covered[DH_SYS_MAX_NR + 1], writing[DH_SYS_MAX_NR + 1];
static char dir[64], old_dir[1024];

/* The way that a tracer reads: an error and no signal for an unmapped page. */
static int read_self(void *cookie, uint64_t addr, void *p, size_t n)
{
	return pread(memory, p, n, (off_t)addr) == (ssize_t)n ? 0 : -EFAULT;
}

static void map_pool(void)
{
	pool = mmap(NULL, POOL + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	before = malloc(POOL);
	assert_true(pool != MAP_FAILED && before);
	memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	assert_true(memory >= 0);
	/* The page behind the pool exists only as a hole. */
	assert_int_equal(munmap(pool + POOL, PAGE), 0);
}

void probe_reset(void)
{
	uint64_t x = 88172645463325252UL;

	if (!pool)
		map_pool();
	for (size_t i = 0; i < POOL; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		pool[i] =
			(unsigned char)(x >> 24) | 1; /* never zero, which kernels like to write */
	}
	used = GAP;
}

uint64_t probe_room(size_t n)
{
	uint64_t addr = (uintptr_t)pool + used;

	used += (n + GAP + 15) & ~15UL;
	assert_true(used <= USED);
	return addr;
}

uint64_t probe_edge(size_t n)
{
	return (uintptr_t)pool + POOL - n;
}

uint64_t probe_put(const void *p, size_t n)
{
	uint64_t addr = probe_room(n);

	memcpy(probe_at(addr), p, n);
	return addr;
}

uint64_t probe_str(const char *s)
{
	return probe_put(s, strlen(s) + 1);
}

void *probe_at(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

static int64_t raw_call(int64_t nr, const uint64_t arg[6])
{
	register uint64_t r10 __asm__("r10") = arg[3];
	register uint64_t r8 __asm__("r8") = arg[4];
	register uint64_t r9 __asm__("r9") = arg[5];
	int64_t result;

	__asm__ volatile(
		"syscall"
		: "=a"(result)
		: "a"(nr), "D"(arg[0]), "S"(arg[1]), "d"(arg[2]), "r"(r10), "r"(r8), "r"(r9)
		: "rcx", "r11", "memory");
	return result;
}

static bool is_listed(const struct dh_sys_range *ranges, int n, uint64_t addr)
{
	for (int i = 0; i < n; i++) {
		if (addr - ranges[i].addr < ranges[i].len)
			return true;
	}
	return false;
}

/* The first change that the table does not list, or -1. */
static ssize_t unlisted_change(const struct dh_sys_range *ranges, int n, bool *ret_changed)
{
	*ret_changed = false;
	for (size_t i = 0; i < POOL; i++) {
		if (pool[i] == before[i])
			continue;
		*ret_changed = true;
		if (!is_listed(ranges, n, (uintptr_t)pool + i))
			return (ssize_t)i;
	}
	return -1;
}

static void sum_up(const struct dh_sys_range *ranges, int n)
{
	last_bytes = n < 0 ? n : 0;
	for (int i = 0; i < n; i++) {
		assert_in_range(ranges[i].addr, (uintptr_t)pool, (uintptr_t)pool + POOL - 1);
		assert_true(ranges[i].addr + ranges[i].len <= (uintptr_t)pool + POOL);
		last_bytes += (int64_t)ranges[i].len;
	}
}

static void check(const struct dh_sys_call *c)
{
	static struct dh_sys_range ranges[MAX_N];
	const char *name = dh_sysmodel_find(c->nr)->name;
	bool changed;
	int n = dh_sysmodel_outputs(c, ranges, MAX_N);
	ssize_t at = unlisted_change(ranges, n, &changed);

	if (at >= 0)
		fail_msg("%s = %ld wrote at %#lx (pool+%#zx), not in its %d ranges", name,
			(long)c->result, (uintptr_t)pool + (size_t)at, (size_t)at, n);
	if (n < 0 && n != -ENOTSUP)
		fail_msg("%s = %ld: outputs: %s", name, (long)c->result, strerror(-n));
	sum_up(ranges, n);
	if (c->result != -ENOSYS && c->result != -EPERM)
		covered[c->nr] = true;
	writing[c->nr] |= changed;
}

/* A new process checks its own view of the memory, and reports by its exit status. */
static void end_child(const struct dh_sys_call *c)
{
	static struct dh_sys_range ranges[MAX_N];
	bool changed;
	int n;

	memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	n = dh_sysmodel_outputs(c, ranges, MAX_N);
	_exit(n < 0 || unlisted_change(ranges, n, &changed) >= 0);
}

int64_t probe_call(const char *name, const uint64_t arg[6])
{
	int64_t nr = dh_sysmodel_number(name);
	bool forks = nr == __NR_clone || nr == __NR_clone3 || nr == __NR_fork;
	struct dh_sys_call c = {.nr = nr, .read = read_self};

	memcpy(c.arg, arg, sizeof(c.arg));
	memcpy(before, pool, POOL);
	c.result = raw_call(nr, arg);
	if (forks && c.result == 0)
		end_child(&c);
	check(&c);
	return c.result;
}

int64_t probe_ok(const char *name, int64_t bytes, const uint64_t arg[6])
{
	int64_t result = probe_call(name, arg);

	if (result < 0 && result >= -4095)
		fail_msg("%s: %s", name, strerror((int)-result));
	if (bytes >= 0 && bytes != last_bytes)
		fail_msg("%s = %ld has outputs of %ld bytes, not %ld", name, (long)result,
			(long)last_bytes, (long)bytes);
	return result;
}

int64_t probe_bytes(void)
{
	return last_bytes;
}

static int count(const bool *set)
{
	int n = 0;

	for (int nr = 0; nr <= DH_SYS_MAX_NR; nr++)
		n += set[nr];
	return n;
}

int probe_covered(void)
{
	return count(covered);
}

int probe_covered_writing(void)
{
	return count(writing);
}

int probe_enter_dir(void **state)
{
	probe_reset();
	snprintf(dir, sizeof(dir), "/tmp/dh-outputs-XXXXXX");
	return !getcwd(old_dir, sizeof(old_dir)) || !mkdtemp(dir) || chdir(dir) < 0;
}

int probe_leave_dir(void **state)
{
	return chdir(old_dir) < 0 || dh_remove_tree(dir) < 0;
}
