/* The schedule: its hash, its log, and the log of an earlier run that is followed. */
#include "sched/core.h"

#include "common/mem.h"

static struct {
	struct dh_sched_step *out;
	uint64_t max;
	/* Replay: the entries, which of them are used up, and for each the next of its thread. */
	const struct dh_sched_step *in;
	uint32_t nin;
	uint8_t *used;
	uint32_t *next;
	uint32_t first[DH_SCHED_THREADS_MAX]; /* index + 1 */
} sched_log;

/* Is a table of n entries of this size inside of the control block? */
static bool fits(uint64_t offset, uint64_t n, size_t size)
{
	uint64_t all = dh_ctl->size;

	return offset % 8 == 0 && offset <= all && n <= (all - offset) / size;
}

static void index_replay(void)
{
	uint32_t last[DH_SCHED_THREADS_MAX] = {0};

	sched_log.used = rt_map(sched_log.nin + 1);
	sched_log.next = rt_map((sched_log.nin + 1) * sizeof(uint32_t));
	if (!sched_log.used || !sched_log.next)
		dh_end_give_up("no memory is left to replay a schedule");
	for (uint32_t i = 0; i < sched_log.nin; i++) {
		uint32_t t = sched_log.in[i].thread;

		if (t >= DH_SCHED_THREADS_MAX)
			continue;
		if (last[t])
			sched_log.next[last[t] - 1] = i + 1;
		else
			sched_log.first[t] = i + 1;
		last[t] = i + 1;
	}
}

void dh_log_start(void)
{
	dh_core.hash = 0xcbf29ce484222325ull;
	sched_log.max = 0;
	if (fits(dh_ctl->steps_offset, dh_ctl->steps_max, sizeof(struct dh_sched_step))) {
		sched_log.out = (void *)((char *)dh_ctl + dh_ctl->steps_offset);
		sched_log.max = dh_ctl->steps_max < UINT32_MAX ? dh_ctl->steps_max : UINT32_MAX;
	}
	sched_log.nin = 0;
	if (dh_ctl->ask.strategy != DH_SCHED_REPLAY)
		return;
	if (dh_ctl->ask.nsteps > dh_ctl->steps_in_max ||
		!fits(dh_ctl->steps_in_offset, dh_ctl->ask.nsteps, sizeof(struct dh_sched_step)))
		dh_end_give_up("the schedule to be replayed lies outside of the control block");
	sched_log.in = (const void *)((char *)dh_ctl + dh_ctl->steps_in_offset);
	sched_log.nin = dh_ctl->ask.nsteps;
	index_replay();
}

void dh_log_forked(void)
{
	sched_log.max = 0;
}

static void append(struct dh_task *self, uint32_t next, unsigned flags, uint32_t extra)
{
	struct dh_sched_result *r = &dh_ctl->result;
	struct dh_sched_step *s;

	if (r->nsteps >= sched_log.max) {
		r->lost_steps++;
		return;
	}
	s = &sched_log.out[r->nsteps++];
	s->thread = self->thread.id;
	s->next = next;
	s->point = self->points;
	s->op = (uint8_t)self->next.op;
	s->flags = (uint8_t)flags;
	s->extra = extra > UINT16_MAX ? UINT16_MAX : (uint16_t)extra;
	s->object = self->next.obj ? self->next.obj->id : 0;
	s->time = (uint32_t)dh_core.points;
	s->pc = self->next.pc;
	s->address = self->next.address;
}

void dh_log_point(struct dh_task *self)
{
	uint64_t object = self->next.obj ? self->next.obj->id : 0;
	uint64_t word = (uint64_t)self->thread.id << 40 | (uint64_t)self->next.op << 32 | object;

	dh_core.hash = (dh_core.hash ^ word) * 0x9e3779b97f4a7c15ull;
	dh_core.hash ^= dh_core.hash >> 29;
	dh_ctl->result.hash = dh_core.hash;
	dh_ctl->result.points = dh_core.points;
	dh_ctl->result.logical_time = dh_core.now;
	if (dh_unlikely(dh_ctl->ask.flags & DH_ASK_LOG_ALL))
		append(self, self->thread.id, 0, 0);
}

void dh_log_switch(struct dh_task *self, struct dh_task *next, unsigned flags)
{
	dh_ctl->result.switches++;
	dh_core.naps = 0;
	if (flags & DH_STEP_PREEMPT)
		dh_ctl->result.preemptions++;
	append(self, next->thread.id, flags | DH_STEP_SWITCH, 0);
}

void dh_log_event(struct dh_task *self, uint32_t next, unsigned flags, uint32_t extra)
{
	append(self, next, flags, extra);
}

const struct dh_sched_step *dh_log_replay(struct dh_task *self, unsigned flags)
{
	uint32_t i;

	if (!self->replay_begun && self->thread.id < DH_SCHED_THREADS_MAX) {
		self->replay_at = sched_log.first[self->thread.id];
		self->replay_begun = true;
	}
	while (self->replay_at && sched_log.in[self->replay_at - 1].point < self->points) {
		dh_ctl->result.diverged += !sched_log.used[self->replay_at - 1] &&
					   sched_log.in[self->replay_at - 1].flags != 0;
		self->replay_at = sched_log.next[self->replay_at - 1];
	}
	for (i = self->replay_at; i; i = sched_log.next[i - 1]) {
		if (sched_log.in[i - 1].point != self->points)
			return NULL;
		if (sched_log.in[i - 1].flags & flags && !sched_log.used[i - 1]) {
			sched_log.used[i - 1] = 1;
			return &sched_log.in[i - 1];
		}
	}
	return NULL;
}
