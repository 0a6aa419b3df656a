/* Nothing may sleep while a spinlock is held; a mutex is no obstacle. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t fast;
static struct mutex slow;
static int a, b;

void poke_fast(void)
{
	spin_lock(&fast);
	a++;
	msleep(10); // BLOCKS
	spin_unlock(&fast);
}

void poke_slow(void)
{
	mutex_lock(&slow);
	b++;
	msleep(10); // NOBLOCKS
	mutex_unlock(&slow);
}

void poke_between(void)
{
	spin_lock(&fast);
	a++;
	spin_unlock(&fast);
	msleep(10); // NOBLOCKS
}
