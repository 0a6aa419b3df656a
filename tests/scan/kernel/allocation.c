/* An allocation that may wait, under a spinlock; one that may not. */
// scan: --profile linux
// norun
#include "kernel.h"

struct item {
	struct item *next;
};

static spinlock_t list_lock;
static struct item *list;

int add_item(void)
{
	struct item *i;

	spin_lock(&list_lock);
	i = kmalloc(sizeof(*i), GFP_KERNEL); // BLOCKS
	if (i) {
		i->next = list;
		list = i;
	}
	spin_unlock(&list_lock);
	return i ? 0 : -12;
}

int add_item_atomic(void)
{
	struct item *i;

	spin_lock(&list_lock);
	i = kmalloc(sizeof(*i), GFP_ATOMIC); // NOBLOCKS
	if (i) {
		i->next = list;
		list = i;
	}
	spin_unlock(&list_lock);
	return i ? 0 : -12;
}
