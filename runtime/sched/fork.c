/* fork() from a program that is scheduled: the child goes on with the calling thread alone, under a
 * control block of its own, so that nothing it does is told as the run's. */
#include "common/mem.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

struct dh_sched_ctl *dh_ctl_of_run;

static void in_child(struct dh_task *self)
{
	struct dh_sched_ctl *own = rt_map(sizeof(*own));

	dh_fork_depth++;
	dh_turn_forked();
	dh_timer_forked();
	dh_thread_forked(self);
	dh_detect_forked(&self->thread);
	if (!own)
		return;
	*own = *dh_ctl;
	own->steps_max = own->candidates_max = own->threads_max = 0;
	own->ask.flags &= ~(uint32_t)DH_ASK_LOG_ALL;
	own->size = sizeof(*own);
	dh_log_forked();
	if (!dh_ctl_of_run)
		dh_ctl_of_run = dh_ctl;
	dh_ctl = own;
}

/* The first of all child handlers: those of the program are scheduled, in the child, too. */
static void forked(void)
{
	if (!dh_scheduled(dh_self))
		return;
	dh_self->inside++;
	in_child(dh_task_of(dh_self));
	dh_self->inside--;
}

void dh_fork_start(void)
{
	pthread_atfork(NULL, NULL, forked);
}

DH_EXPORT pid_t fork(void)
{
	if (!dh_scheduled(dh_self))
		return dh_real()->fork();
	dh_sched_point(DH_OP_FORK, NULL, DH_CALLER());
	dh_ctl->result.forks++;
	/* Handlers of pthread_atfork() are the program's, and run with the turn. */
	return dh_real()->fork();
}
