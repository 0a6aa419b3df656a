/* A name that looks like an interrupt handler's does not make one: others call the function, and
 * hold the lock. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t host_lock;
static int pending, scans;

static void scan_intr(int n)
{
	pending -= n; // NORACE
	scans++;      // NORACE
}

void host_poll(void)
{
	spin_lock(&host_lock);
	if (pending) // NORACE
		scan_intr(1);
	spin_unlock(&host_lock);
}

void host_add(void)
{
	spin_lock(&host_lock);
	pending++; // NORACE
	scan_intr(0);
	spin_unlock(&host_lock);
}
