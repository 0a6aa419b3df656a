/* The same two locks, in one order. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t rtc_lock, task_lock;
static int tasks, time_set;

int rtc_register(void)
{
	spin_lock_irq(&rtc_lock);
	spin_lock(&task_lock); // NODEADLOCK
	tasks++;
	spin_unlock(&task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

void rtc_control(void)
{
	unsigned long flags;

	spin_lock_irqsave(&rtc_lock, flags);
	if (spin_trylock(&task_lock)) { // NODEADLOCK
		time_set++;
		spin_unlock(&task_lock);
	}
	spin_unlock_irqrestore(&rtc_lock, flags);
}
