/* Nearly every function takes the lock around this counter; one does not. */
// scan: --profile linux
// norun
#include "kernel.h"

static spinlock_t stat_lock;
static long quota, other;

void quota_add(long n)
{
	spin_lock(&stat_lock);
	quota += n; // MAYBE RACE
	spin_unlock(&stat_lock);
}

void quota_sub(long n)
{
	spin_lock(&stat_lock);
	quota -= n; // MAYBE RACE
	spin_unlock(&stat_lock);
}

void quota_double(void)
{
	spin_lock(&stat_lock);
	quota *= 2; // MAYBE RACE
	spin_unlock(&stat_lock);
}

void quota_halve(void)
{
	spin_lock_bh(&stat_lock);
	quota /= 2; // MAYBE RACE
	spin_unlock_bh(&stat_lock);
}

void quota_move(void)
{
	spin_lock(&stat_lock);
	other++; // NORACE
	spin_unlock(&stat_lock);
	quota -= 7; // RACE
}
