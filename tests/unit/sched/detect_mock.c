#include "detect_mock.h"

#include <stdlib.h>

#include "sched/core.h"

#define CANDIDATES 512
#define OBJECTS    64

struct dh_sched_ctl *dh_ctl;
bool dh_active;
uint8_t dh_watch[DH_WATCH_SIZE];
DH_TLS struct dh_thread *dh_self;

static struct dh_thread thread[MOCK_THREADS];
static struct dh_frames frames[MOCK_THREADS];
static struct dh_object objects[OBJECTS];
static uint32_t next_object;

static jmp_buf stopped;
static bool catching;
static enum dh_sched_end stop_end;
char mock_words[256];

void __tsan_read4_pc(void *p, void *pc);
void __tsan_write4_pc(void *p, void *pc);

static struct dh_sched_candidate *candidates(void)
{
	return (void *)((char *)dh_ctl + dh_ctl->candidates_offset);
}

void mock_start(uint32_t detect)
{
	static struct dh_sched_ctl *block;

	if (!block)
		block = calloc(1, sizeof *block + CANDIDATES * sizeof(struct dh_sched_candidate));
	dh_ctl = block;
	dh_ctl->candidates_offset = sizeof *block;
	dh_ctl->candidates_max = CANDIDATES;
	dh_ctl->ask.detect = detect;
	memset(&dh_ctl->result, 0, sizeof dh_ctl->result);
	memset(thread, 0, sizeof thread);
	memset(frames, 0, sizeof frames);
	memset(&dh_frames, 0, sizeof dh_frames);
	memset(objects, 0, sizeof objects);
	next_object = 0;
	while (dh_actors)
		dh_actor_free(dh_actors);
	dh_active = true;
	dh_detect_start();
	for (unsigned i = 0; i < MOCK_THREADS; i++) {
		thread[i].id = i;
		thread[i].budget = INT64_MAX;
	}
	dh_detect_thread_created(NULL, &thread[0], 0);
	dh_self = &thread[0];
	dh_detect_thread_started(&thread[0]);
}

void mock_end(void)
{
	dh_active = false;
	dh_self = NULL;
	dh_look = DH_LOOK_NOT;
	dh_detecting = 0;
}

void mock_turn(unsigned number)
{
	struct dh_thread *from = dh_self, *to = &thread[number];

	frames[from->id] = dh_frames;
	dh_actor_of(from)->frames = &frames[from->id];
	dh_actor_of(from)->cell = NULL;
	if (!to->detect) {
		dh_detect_thread_created(from, to, 0);
		dh_frames = (struct dh_frames){0};
		dh_self = to;
		dh_detect_thread_started(to);
		return;
	}
	dh_frames = frames[number];
	dh_self = to;
	dh_actor_bind(dh_actor_of(to), to);
}

void mock_join(unsigned number)
{
	unsigned self = dh_self->id;

	mock_turn(number);
	dh_detect_thread_ended(dh_self);
	frames[number] = (struct dh_frames){0};
	dh_frames = frames[self];
	dh_self = &thread[self];
	dh_actor_bind(dh_actor_of(dh_self), dh_self);
	dh_detect_thread_joined(dh_self, &thread[number]);
}

struct dh_object *mock_object(int number)
{
	return dh_object_get(&objects[number], DH_OBJECT_MUTEX);
}

void mock_lock_how(int lock, unsigned how, uintptr_t pc)
{
	dh_detect_requested(dh_self, mock_object(lock), how, pc);
	dh_detect_acquired(dh_self, mock_object(lock), how, pc);
}

void mock_lock(int lock)
{
	mock_lock_how(lock, 0, 0x10000u + (uintptr_t)lock);
}

void mock_unlock(int lock)
{
	dh_detect_releasing(dh_self, mock_object(lock), 0, 0);
}

void mock_read(void *p, uintptr_t statement)
{
	__tsan_read4_pc(p, (void *)statement);
}

void mock_write(void *p, uintptr_t statement)
{
	__tsan_write4_pc(p, (void *)statement);
}

uint32_t mock_count(uint32_t kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < dh_ctl->result.ncandidates; i++)
		n += candidates()[i].kind == kind;
	return n;
}

static bool has(const struct dh_sched_candidate *c, uintptr_t pc)
{
	for (uint32_t i = 0; i < c->nsites; i++) {
		if (c->site[i].pc == pc)
			return true;
	}
	return false;
}

const struct dh_sched_candidate *mock_find(uint32_t kind, uintptr_t a, uintptr_t b, uintptr_t c)
{
	for (uint32_t i = 0; i < dh_ctl->result.ncandidates; i++) {
		const struct dh_sched_candidate *one = &candidates()[i];

		if (one->kind == kind && has(one, a) && has(one, b) && (!c || has(one, c)))
			return one;
	}
	return NULL;
}

const struct dh_sched_candidate *mock_candidate(uint32_t index)
{
	return &candidates()[index];
}

enum dh_sched_end mock_stopped(void (*run)(void *), void *arg)
{
	stop_end = DH_END_NONE;
	catching = true;
	if (!setjmp(stopped))
		run(arg);
	catching = false;
	return stop_end;
}

_Noreturn void dh_sched_stop(
	enum dh_sched_end end, uintptr_t pc, const volatile void *address, const char *text)
{
	assert_true(catching);
	stop_end = end;
	strncpy(mock_words, text ? text : "", sizeof mock_words - 1);
	longjmp(stopped, 1);
}

void dh_sched_at_statement(uintptr_t pc, const volatile void *address, size_t size, unsigned access)
{
	fail_msg("no statement is a target here");
}

void dh_directed_resolve_modules(void)
{
}

void dh_sched_budget(uintptr_t pc)
{
	fail_msg("nobody spins here");
}

void dh_sched_atomic(uintptr_t pc, const volatile void *address, size_t size, unsigned access)
{
}

void dh_sched_point(enum dh_sched_op op, struct dh_object *obj, uintptr_t pc)
{
}

struct dh_object *dh_object_get(const volatile void *address, enum dh_object_kind kind)
{
	uint32_t i = 0;

	while (i < next_object && objects[i].address != (uintptr_t)address)
		i++;
	assert_true(i < OBJECTS);
	if (i == next_object) {
		objects[i] = (struct dh_object){
			.address = (uintptr_t)address, .id = ++next_object, .kind = (uint8_t)kind};
	}
	return &objects[i];
}

void dh_object_memory_gone(const volatile void *address, size_t size)
{
}

struct dh_thread *dh_thread_by_id(uint32_t id)
{
	return &thread[id];
}

struct dh_thread *dh_thread_by_stack(const volatile void *address)
{
	for (unsigned i = 0; i < MOCK_THREADS; i++) {
		if ((uintptr_t)address - (uintptr_t)thread[i].stack_low <
			(uintptr_t)thread[i].stack_high - (uintptr_t)thread[i].stack_low)
			return &thread[i];
	}
	return NULL;
}
