/* The helper takes the lock that its caller has. */
// scan: --profile linux
// norun
#include "kernel.h"

struct queue {
	spinlock_t lock;
	int len;
};

static void queue_reset(struct queue *q)
{
	spin_lock(&q->lock); // MISUSE
	q->len = 0;
	spin_unlock(&q->lock);
}

void queue_drain(struct queue *q)
{
	spin_lock(&q->lock);
	if (q->len > 100)
		queue_reset(q);
	spin_unlock(&q->lock);
}

void queue_move(struct queue *from, struct queue *to)
{
	spin_lock(&from->lock);
	from->len--;
	spin_unlock(&from->lock);
	spin_lock(&to->lock); // NOMISUSE
	to->len++;
	spin_unlock(&to->lock);
}
