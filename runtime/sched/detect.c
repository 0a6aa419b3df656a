#include "sched/detect.h"

void dh_detect_start(void)
{
}

void dh_detect_end(void)
{
}

void dh_detect_thread_created(struct dh_thread *parent, struct dh_thread *child, uintptr_t pc)
{
}

void dh_detect_thread_started(struct dh_thread *self)
{
}

void dh_detect_thread_ended(struct dh_thread *self)
{
}

void dh_detect_thread_joined(struct dh_thread *self, struct dh_thread *dead)
{
}

void dh_detect_thread_gone(struct dh_thread *dead)
{
}

void dh_detect_requested(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
}

void dh_detect_acquired(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
}

void dh_detect_releasing(struct dh_thread *self, struct dh_object *lock, unsigned how, uintptr_t pc)
{
}

void dh_detect_memory(
	struct dh_thread *self, const void *address, size_t size, bool write, uintptr_t pc)
{
}

void dh_detect_send(struct dh_thread *self, struct dh_object *obj)
{
}

void dh_detect_receive(struct dh_thread *self, struct dh_object *obj)
{
}

void dh_detect_hand_over(struct dh_thread *from, struct dh_thread *to)
{
}

void dh_detect_object_gone(struct dh_object *obj)
{
}

void dh_detect_handler_enter(struct dh_thread *self, int signal)
{
}

void dh_detect_handler_leave(struct dh_thread *self)
{
}

void dh_detect_forked(struct dh_thread *self)
{
}

uint32_t dh_detect_stack(const struct dh_thread *thread, uintptr_t pc, uint64_t *ret, uint32_t max)
{
	if (pc == 0 || max == 0)
		return 0;
	ret[0] = pc;
	return 1;
}
