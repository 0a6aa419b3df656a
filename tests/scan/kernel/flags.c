/* Flags that are changed atomically may be looked at without the lock; setting the whole word may
 * not. */
// scan: --profile linux
// norun
#include "kernel.h"

void set_bit(long nr, volatile unsigned long *word);

struct channel {
	spinlock_t lock;
	unsigned long state, mode;
};

void channel_start(struct channel *c)
{
	spin_lock(&c->lock);
	if (!(c->state & 1))           // NORACE
		set_bit(0, &c->state); // NORACE
	if (!(c->mode & 1))            // MAYBE RACE
		set_bit(0, &c->mode);  // MAYBE RACE
	spin_unlock(&c->lock);
}

void channel_pause(struct channel *c)
{
	spin_lock(&c->lock);
	if (c->state & 1)              // NORACE
		set_bit(1, &c->state); // NORACE
	if (c->mode & 1)               // MAYBE RACE
		set_bit(1, &c->mode);  // MAYBE RACE
	spin_unlock(&c->lock);
}

int channel_stop(struct channel *c)
{
	int was;

	spin_lock(&c->lock);
	was = c->state & 1; // NORACE
	was += c->mode & 1; // MAYBE RACE
	set_bit(2, &c->state);
	spin_unlock(&c->lock);
	return was;
}

int channel_is_paused(struct channel *c)
{
	return c->state & 2; // NORACE
}

void channel_clear(struct channel *c)
{
	c->mode = 0; // RACE
}
