/* Performance events: what the kernel lets us open, whether the processor's counters are there,
 * and whether they can say which instruction it was. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "doctor/probe.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define LOOPS    20000000

static int open_event(struct perf_event_attr *attr)
{
	int fd;

	attr->size = sizeof(*attr);
	attr->exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static void work(void)
{
	for (volatile int i = 0; i < LOOPS; i++)
		;
}

/* Opens the event, works, and reads its count: 0 or -errno (-ENODATA when it counted nothing). */
static int count_event(struct perf_event_attr attr, uint64_t *ret)
{
	int fd = open_event(&attr), r = 0;
	uint64_t count = 0;

	if (fd < 0)
		return fd;
	work();
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		r = -errno;
	close(fd);
	if (r == 0 && count == 0)
		r = -ENODATA;
	if (r == 0)
		*ret = count;
	return r;
}

void dh_probe_perf_access(struct dh_probe_result *ret)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};
	long level = dh_probe_read_number(PARANOID);
	char text[32];
	uint64_t count;
	int r = count_event(attr, &count), kernel;

	snprintf(text, sizeof(text), level < -1 ? "level unknown" : "level %ld", level);
	if (r < 0) {
		dh_probe_says(
			ret, DH_HEALTH_MISSING, "perf_event_paranoid %s: %s", text, strerror(-r));
		dh_probe_mend(ret, "as root: sysctl kernel.perf_event_paranoid=2, or lower");
		return;
	}
	attr.exclude_kernel = 0;
	kernel = count_event(attr, &count);
	if (kernel < 0) {
		dh_probe_says(ret, DH_HEALTH_WORKS,
			"perf_event_paranoid %s: user code only, which is enough", text);
		return;
	}
	dh_probe_says(ret, DH_HEALTH_WORKS, "perf_event_paranoid %s: all events allowed", text);
}

void dh_probe_pmu(struct dh_probe_result *ret)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	uint64_t count = 0;
	int r = count_event(attr, &count);

	if (r == 0 && count >= LOOPS) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "instructions are counted");
		return;
	}
	if (r == 0) {
		dh_probe_says(ret, DH_HEALTH_DEGRADED,
			"instructions are miscounted: %llu for a loop of %d",
			(unsigned long long)count, LOOPS);
	} else {
		dh_probe_says(ret, DH_HEALTH_MISSING, "no instruction counter: %s", strerror(-r));
	}
	dh_probe_mend(ret, "a virtual machine must be given a PMU by its host; without one, points "
			   "in time are found by the program's state");
}

/* Whether one precise sample with an instruction address in our code arrives. */
static bool one_sample(int fd)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	bool any;

	if (ring == MAP_FAILED)
		return false;
	work();
	any = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE) != 0;
	munmap(ring, 2 * page);
	return any;
}

void dh_probe_precise(struct dh_probe_result *ret)
{
	int fd = -ENODEV;

	for (unsigned precise = 3; precise > 0; precise--) {
		struct perf_event_attr attr = {
			.type = PERF_TYPE_HARDWARE,
			.config = PERF_COUNT_HW_INSTRUCTIONS,
			.sample_period = 100000,
			.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
			.exclude_kernel = 1,
			.precise_ip = precise & 3,
		};

		fd = open_event(&attr);
		if (fd < 0)
			continue;
		if (!one_sample(fd)) {
			close(fd);
			fd = -ENODATA;
			continue;
		}
		dh_probe_says(ret, precise > 1 ? DH_HEALTH_WORKS : DH_HEALTH_DEGRADED,
			"precision level %u of 3", precise);
		if (precise == 1)
			dh_probe_mend(ret, "samples may be some instructions late here");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "no precise samples: %s", strerror(-fd));
	dh_probe_mend(ret, "needs PEBS or IBS, and a host that passes it through; sampling falls "
			   "back to the clock and to watchpoints");
}
