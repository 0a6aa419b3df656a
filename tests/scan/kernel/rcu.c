/* A read-side section may not sleep either. */
// scan: --profile linux
// norun
#include "kernel.h"

static struct mutex table_lock;
static int *table;

int lookup(void)
{
	int v;

	rcu_read_lock();
	v = READ_ONCE(table) ? 1 : 0;
	msleep(1); // BLOCKS
	rcu_read_unlock();
	return v;
}

void retire(void)
{
	int *old;

	mutex_lock(&table_lock);
	old = table;                 // NORACE
	WRITE_ONCE(table, (int *)0); // NORACE
	mutex_unlock(&table_lock);
	synchronize_rcu(); // NOBLOCKS
	kfree(old);
}
