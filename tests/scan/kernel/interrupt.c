/* An interrupt handler and process context; one of the two variables is handled with care. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t ring_lock;
static int head, dropped;

static int on_interrupt(int irq, void *dev)
{
	unsigned long flags;

	spin_lock_irqsave(&ring_lock, flags);
	head++; // NORACE
	spin_unlock_irqrestore(&ring_lock, flags);
	dropped++; // RACE
	return 1;
}

int ring_read(void)
{
	int n;

	spin_lock_irq(&ring_lock);
	n = head; // NORACE
	head = 0; // NORACE
	spin_unlock_irq(&ring_lock);
	n += dropped; // MAYBE RACE
	dropped = 0;  // RACE
	return n;
}

int ring_init(void)
{
	return request_irq(4, on_interrupt, 0, "ring", 0);
}
