/* The sleep is three calls away from the spinlock. */
// scan: --profile linux
// norun
#include "kernel.h"

struct dev {
	spinlock_t lock;
	char buf[64];
	int state;
};

static int fetch(struct dev *d, const void *user)
{
	return copy_from_user(d->buf, user, sizeof(d->buf)) ? -14 : 0; // BLOCKS
}

static int refill(struct dev *d, const void *user)
{
	if (d->state)
		return fetch(d, user);
	return 0;
}

int dev_write(struct dev *d, const void *user)
{
	unsigned long flags;
	int r;

	spin_lock_irqsave(&d->lock, flags);
	r = refill(d, user);
	spin_unlock_irqrestore(&d->lock, flags);
	return r;
}
