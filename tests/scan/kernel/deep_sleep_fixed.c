/* The data is fetched before the lock is taken. */
// scan: --profile linux
// norun
#include "kernel.h"

struct dev {
	spinlock_t lock;
	char buf[64];
	int state;
};

int dev_write(struct dev *d, const void *user)
{
	unsigned long flags;
	char own[64];

	if (copy_from_user(own, user, sizeof(own))) // NOBLOCKS
		return -14;
	spin_lock_irqsave(&d->lock, flags);
	d->buf[0] = own[0];
	d->state++;
	spin_unlock_irqrestore(&d->lock, flags);
	return 0;
}
