/* dev->lock protects dev->users in every function but one. */
// scan: --profile linux
// norun
#include "kernel.h"

struct device {
	struct mutex lock;
	int users, errors;
};

int device_get(struct device *d)
{
	mutex_lock(&d->lock);
	d->users++; // MAYBE RACE
	mutex_unlock(&d->lock);
	return 0;
}

void device_put(struct device *d)
{
	mutex_lock(&d->lock);
	d->users--; // MAYBE RACE
	mutex_unlock(&d->lock);
}

int device_busy(struct device *d)
{
	int busy;

	mutex_lock(&d->lock);
	busy = d->users > 0; // MAYBE RACE
	mutex_unlock(&d->lock);
	return busy;
}

void device_reset(struct device *d)
{
	mutex_lock(&d->lock);
	d->errors = 0; // NORACE
	mutex_unlock(&d->lock);
	d->users = d->users + 1; // RACE
}
