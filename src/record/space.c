/* The buffer's spaces: when they begin, whom they belong to, and who may use them now. */
#include "record/buffer.h"

#include <linux/kcmp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "record/notes.h"
#include "wire/buffer.h"

#define AREA_FDS (DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd))

struct space *dh_space_of(const struct task *t)
{
	return t->process ? t->process->space : NULL;
}

void dh_buffer_release(struct process *p)
{
	struct space *s = p->space;

	p->space = NULL;
	if (!s || --s->refs)
		return;
	dh_patches_release(&s->patches);
	dh_map_release(&s->sites);
	dh_map_release(&s->frames);
	free(s->texts);
	free(s->lent);
	free(s);
}

void dh_buffer_exec(struct recorder *r, struct task *t)
{
	dh_buffer_release(t->process);
	/* Random turns want many places to switch at, which are the stops.  A ring begins with the
	 * state of the program alone, without that of the buffer. */
	if (t->rules || !r->opt->buffer || r->opt->chaos || r->opt->max_size ||
		t->process->elsewhere)
		return;
	t->process->space = dh_new(struct space);
	t->process->space->refs = 1;
}

static void copy_map(struct dh_map *to, const struct dh_map *from)
{
	dh_map_foreach (slot, from)
		dh_map_set(to, slot->key, slot->value);
}

static struct space *fork_space(const struct space *s)
{
	struct space *copy = dh_new(struct space);

	*copy = *s;
	copy->refs = 1;
	copy->paused = 0;
	copy->lent = NULL;
	copy->sites = copy->frames = DH_MAP_INIT;
	dh_patches_copy(&copy->patches, &s->patches);
	copy_map(&copy->sites, &s->sites);
	copy_map(&copy->frames, &s->frames);
	copy->cap_texts = s->n_texts;
	copy->texts = s->n_texts ? dh_memdup(s->texts, s->n_texts * sizeof(*s->texts)) : NULL;
	return copy;
}

static void set_mode(struct task *t, uint32_t mode)
{
	dh_area_set(t, mode, &mode);
}

void dh_space_turn_off(struct task *t)
{
	struct space *s = dh_space_of(t);

	if (!s || s->off)
		return;
	s->off = true;
	if (s->active)
		set_mode(t, DH_BUFFER_OFF);
}

void dh_buffer_leave_alone(struct task *t)
{
	dh_space_turn_off(t);
}

void dh_space_follow_company(struct recorder *r, struct task *t)
{
	struct space *s = dh_space_of(t);
	uint32_t alone = DH_BUFFER_NOT_ALONE;

	if (t->group && t->group->n_tasks == 1)
		alone = r->tasks.n == 1 ? DH_BUFFER_SOLE : DH_BUFFER_ALONE;
	if (s && s->active && s->alone != alone && dh_area_set(t, alone, &alone) == 0)
		s->alone = alone;
}

void dh_buffer_group_grew(struct recorder *r, struct group *g)
{
	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;

		if (t->group == g)
			dh_space_follow_company(r, t);
	}
}

static void attach(const struct task *parent, struct task *child, bool memory)
{
	struct space *s = dh_space_of(parent);

	if (memory) {
		child->process->space = s;
		s->refs++;
	} else {
		child->process->space = fork_space(s);
	}
}

/* What the ring had is logged, and may have been taken out of it since its memory was copied. */
static void copy_ends(struct task *child)
{
	const struct space *s = dh_space_of(child);
	const uint64_t ends[2] = {s->noted, s->drained};

	_Static_assert(offsetof(struct dh_buffer_area, head) ==
			       offsetof(struct dh_buffer_area, notes) + sizeof(uint64_t),
		"");
	dh_area_write(child, DH_LANDING_AREA + offsetof(struct dh_buffer_area, notes), ends,
		sizeof(ends));
}

/* A child of vfork has the memory to itself as long as its parent waits for it, if there is nobody
 * else: it may use the buffer.  It has descriptors of its own, so the table becomes the parent's
 * again afterwards.  With others there nothing is buffered meanwhile. */
static bool can_lend(const struct space *s, const struct task *parent, uint64_t flags)
{
	return s->active && !s->off && !s->paused && !s->lent && s->refs == 2 &&
	       parent->process->n_tasks == 1 && (flags & CLONE_VM) && (flags & CLONE_VFORK) &&
	       !(flags & CLONE_FILES);
}

static void lend(struct task *parent, struct task *child)
{
	struct space *s = dh_space_of(parent);

	s->lent_to = child->id;
	s->lent = dh_alloc(DH_BUFFER_FDS);
	if (dh_area_read(parent, AREA_FDS, s->lent, DH_BUFFER_FDS) < 0)
		memset(s->lent, DH_BUFFER_FD_UNKNOWN, DH_BUFFER_FDS);
	dh_buffer_allow(child, 0, false);
}

static void take_back(struct task *parent)
{
	struct space *s = dh_space_of(parent);

	dh_area_write(parent, AREA_FDS, s->lent, DH_BUFFER_FDS);
	free(s->lent);
	s->lent = NULL;
	dh_buffer_forget_opened(parent);
	dh_buffer_allow(parent, 0, false);
}

void dh_buffer_cloned(struct recorder *r, struct task *parent, struct task *child, uint64_t flags)
{
	struct space *s = dh_space_of(parent);
	bool memory = flags & CLONE_VM, files = flags & CLONE_FILES;
	bool thread = child->process == parent->process;

	if (r->opt->calls && dh_notes_moves(parent, flags))
		child->process->elsewhere = true;
	if (!s)
		return;
	if (!thread)
		attach(parent, child, memory);
	if (child->process->elsewhere)
		dh_space_turn_off(child);
	if (!memory && s->active) {
		copy_ends(child);
		dh_buffer_allow(child, 0, false);
	}
	dh_space_follow_company(r, child); /* its copy of the area is as the parent's was */
	dh_space_follow_company(r, parent);
	if (thread)
		return;
	/* The table of descriptors lies in memory: it must be shared exactly when they are. */
	if (can_lend(s, parent, flags)) {
		lend(parent, child);
	} else if (memory && (flags & CLONE_VFORK)) {
		s->paused++;
		if (s->active && !s->off)
			set_mode(parent, DH_BUFFER_OFF);
	} else if (memory != files) {
		dh_space_turn_off(parent);
		dh_space_turn_off(child);
	}
}

void dh_buffer_vfork_over(struct task *parent, const struct task *child)
{
	struct space *s = dh_space_of(parent);

	if (s && s->lent && s->lent_to == child->id)
		take_back(parent);
	else if (s && s->paused && --s->paused == 0 && s->active && !s->off)
		set_mode(parent, DH_BUFFER_RECORD);
}

static void add_shared(struct task *t, const struct dh_buf *list)
{
	static const uint8_t none[DH_BUFFER_FDS];
	uint64_t n = list->len / (2 * sizeof(uint64_t));
	uint32_t count = (uint32_t)DH_MIN(n, DH_BUFFER_SHARED + 1);

	dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, shared), list->data,
		DH_MIN(n, (uint64_t)DH_BUFFER_SHARED) * 2 * sizeof(uint64_t));
	dh_area_set(t, n_shared, &count);
	/* Everything is looked at again. */
	dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd), none, sizeof(none));
}

void dh_buffer_shared(struct recorder *r, uint64_t dev, uint64_t ino)
{
	uint64_t id[2] = {dev, ino};

	dh_buf_add(&r->shared_files, id, sizeof(id));
	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;
		struct space *s = dh_space_of(t);

		if (s && s->active)
			add_shared(t, &r->shared_files);
	}
}

/* The first patch of an address space: the area is all zero before. */
void dh_buffer_activate(struct recorder *r, struct task *t)
{
	struct space *s = dh_space_of(t);
	const uint32_t limited = !dh_gate_is_open(r), one = 1;
	uint32_t own = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, 0, 0) >= 0;

	if (s->active)
		return;
	s->active = true;
	if (r->opt->calls && (!s->attached || dh_area_set(t, describes, &one) < 0)) {
		s->off = true;
		return;
	}
	dh_area_set(t, limited, &limited);
	/* Without kcmp a file that is opened anew may be taken for our own output. */
	dh_area_set(t, own_files, &own);
	if (r->shared_files.len)
		add_shared(t, &r->shared_files);
	dh_space_follow_company(r, t);
	set_mode(t, DH_BUFFER_RECORD);
}
