/* One error path keeps the mutex. */
// scan: --profile linux
// norun
#include "kernel.h"

static struct mutex open_lock;
static int opens;

int dev_open(int exclusive)
{
	if (mutex_lock_interruptible(&open_lock)) // MISUSE
		return -4;
	if (opens && exclusive)
		return -16;
	opens++;
	mutex_unlock(&open_lock);
	return 0;
}

int dev_open_fixed(int exclusive)
{
	int r = 0;

	if (mutex_lock_interruptible(&open_lock)) // NOMISUSE
		return -4;
	if (opens && exclusive)
		r = -16;
	else
		opens++;
	mutex_unlock(&open_lock);
	return r;
}
