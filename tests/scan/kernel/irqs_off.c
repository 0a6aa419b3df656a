/* With interrupts or preemption off, a mutex may not be taken. */
// scan: --profile linux
// norun
#include "kernel.h"

static struct mutex m;
static int n;

void with_irqs_off(void)
{
	local_irq_disable();
	mutex_lock(&m); // BLOCKS
	n++;
	mutex_unlock(&m);
	local_irq_enable();
}

void with_irqs_on(void)
{
	local_irq_disable();
	local_irq_enable();
	mutex_lock(&m); // NOBLOCKS
	n++;
	mutex_unlock(&m);
}

void without_preemption(void)
{
	preempt_disable();
	schedule(); // BLOCKS
	preempt_enable();
}
