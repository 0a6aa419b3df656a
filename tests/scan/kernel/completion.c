/* Waiting for a completion orders, and it sleeps. */
// scan: --profile linux
// norun
#include "kernel.h"

struct request {
	struct completion done;
	spinlock_t lock;
	int status;
};

void finish(struct request *r, int status)
{
	spin_lock(&r->lock);
	r->status = status;
	spin_unlock(&r->lock);
	complete(&r->done); // NOBLOCKS
}

void wait_badly(struct request *r)
{
	spin_lock(&r->lock);
	wait_for_completion(&r->done); // BLOCKS
	spin_unlock(&r->lock);
}

void wait_well(struct request *r)
{
	wait_for_completion(&r->done); // NOBLOCKS
}
