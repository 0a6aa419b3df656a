/* Two entry points take two spinlocks in opposite orders. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t rtc_lock, task_lock;
static int tasks, time_set;

int rtc_register(void)
{
	spin_lock_irq(&rtc_lock);
	spin_lock(&task_lock); // DEADLOCK
	tasks++;
	spin_unlock(&task_lock);
	spin_unlock_irq(&rtc_lock);
	return 0;
}

void rtc_control(void)
{
	unsigned long flags;

	spin_lock_irqsave(&task_lock, flags);
	spin_lock(&rtc_lock); // DEADLOCK
	time_set++;
	spin_unlock(&rtc_lock);
	spin_unlock_irqrestore(&task_lock, flags);
}
