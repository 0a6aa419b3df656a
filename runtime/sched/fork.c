/* fork() from a program that is scheduled: the child goes on with the calling thread alone, under a
 * control block of its own, so that nothing it does is told as the run's. */
#include "common/mem.h"
#include "sched/core.h"
#include "sched/detect.h"
#include "sched/real.h"

static void in_child(struct dh_task *self)
{
	struct dh_sched_ctl *own = rt_map(sizeof(*own));

	dh_fork_depth++;
	dh_turn_forked();
	dh_thread_forked(self);
	dh_detect_forked(&self->thread);
	if (!own)
		return;
	*own = *dh_ctl;
	own->steps_max = own->candidates_max = own->threads_max = 0;
	own->ask.flags &= ~(uint32_t)DH_ASK_LOG_ALL;
	own->size = sizeof(*own);
	dh_log_forked();
	dh_ctl = own;
}

DH_EXPORT pid_t fork(void)
{
	struct dh_task *self = dh_task_of(dh_self);
	pid_t pid;

	if (!dh_scheduled(dh_self))
		return dh_real()->fork();
	dh_sched_point(DH_OP_FORK, NULL, DH_CALLER());
	dh_ctl->result.forks++;
	/* Handlers of pthread_atfork() are the program's, and run with the turn. */
	pid = dh_real()->fork();
	if (pid == 0) {
		self->thread.inside++;
		in_child(self);
		self->thread.inside--;
	}
	return pid;
}
