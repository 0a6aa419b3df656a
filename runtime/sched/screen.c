/* First run of a prediction: every access against the four cells of its granule.
 *
 * Two accesses conflict when they are of different threads, touch the same byte, one of them
 * writes, and neither happened before the other.  With disjoint locksets that is the hybrid
 * condition of RaceFuzzer's phase 1 (section 2.2), and a candidate at once; otherwise the granule
 * is kept, as the place where the second run looks for what locks do not prevent. */
#include "sched/candidate.h"
#include "sched/detector.h"
#include "sched/heap.h"
#include "sched/lockset.h"
#include "sched/shadow.h"
#include "sched/table.h"

/* How many places of one pair of statements are followed, and how often it is counted. */
#define PLACES_MAX 8u
#define COUNT_MAX  1000u

static struct dh_table pairs;    /* of statements, to how often they met */
static struct dh_table followed; /* granules that are in the control block */

bool dh_screen_start(void)
{
	dh_table_release(&pairs);
	dh_table_release(&followed);
	dh_ctl->ngranules = 0;
	return dh_shadow_start() && dh_segments_start();
}

static void follow(uintptr_t address)
{
	uintptr_t granule = address & ~(uintptr_t)(DH_GRANULE - 1);
	uint64_t *v = dh_table_add(&followed, granule | 1);

	if (*v)
		return;
	*v = 1;
	if (dh_ctl->ngranules < DH_SCHED_GRANULES_MAX)
		dh_ctl->granule[dh_ctl->ngranules++] = granule;
	else
		dh_ctl->result.lost_history++;
}

static uint8_t access_of(uint64_t cell)
{
	return (uint8_t)((cell & DH_CELL_WRITE ? DH_SCHED_WRITE : 0) |
			 (cell & DH_CELL_ATOMIC ? DH_SCHED_ATOMIC : 0));
}

static struct dh_side side_of(uint64_t cell, const struct dh_segment *s, uintptr_t address)
{
	return (struct dh_side){
		.address = (address & ~(uintptr_t)(DH_GRANULE - 1)) + dh_cell_offset(cell),
		.size = dh_cell_size(cell),
		.thread = s->thread,
		.access = access_of(cell),
		.op = DH_OP_ACCESS,
		.role = DH_TARGET_RACE,
		.lockset = s->lockset};
}

/* The later side has its stack; the earlier one gets it in the second run. */
static void race(const struct dh_actor *a, uint64_t old, uint64_t now, uintptr_t address,
	uintptr_t pc, unsigned more)
{
	const struct dh_segment *s = &dh_segments[dh_cell_segment(old)];
	struct dh_found f = {.kind = DH_CAND_RACE, .nsides = 2};

	f.side[0] = side_of(old, s, address);
	f.side[0].pc = dh_whole_pc(dh_cell_pc(old), pc);
	f.side[1] = side_of(now, &dh_segments[dh_cell_segment(now)], address);
	f.side[1].pc = pc;
	f.side[1].access |= (uint8_t)more;
	f.side[1].stack = dh_stack_keep(a->frames, pc);
	dh_candidate_add(&f);
}

static void conflict(const struct dh_actor *a, uint64_t old, uint64_t now, uintptr_t address,
	uintptr_t pc, unsigned more)
{
	const struct dh_segment *s = &dh_segments[dh_cell_segment(old)];
	uint64_t *count =
		dh_table_add(&pairs, ((uint64_t)dh_cell_pc(old) << 32 | dh_cell_pc(now)) + 1);

	if (*count > COUNT_MAX)
		return;
	if (++*count <= PLACES_MAX)
		follow(address);
	if (old & now & DH_CELL_ATOMIC || dh_own_handler(s->thread, a->thread))
		return;
	if ((dh_detecting & DH_DETECT_HB) || !dh_lockset_protects(s->lockset, a->lockset))
		race(a, old, now, address, pc, more);
}

/* How readily a cell gives way to a new one; the greatest is taken. */
enum worth { KEEP, REPEATED, ORDERED, EMPTY, OUTDATED };

/* A later time says more, unless it had more locks. */
static inline bool outdated(
	const struct dh_actor *a, const struct dh_segment *s, uint64_t old, uint64_t now)
{
	return dh_cell_same_statement(old, now) &&
	       (s->lockset == a->lockset || dh_lockset_within(a->lockset, s->lockset));
}

static enum worth other_cell(
	const struct dh_actor *a, uint64_t old, uint64_t now, uintptr_t address, uintptr_t pc)
{
	const struct dh_segment *s = &dh_segments[dh_cell_segment(old)];
	bool meets = dh_cell_overlap(old, now);

	if (dh_actor_knows(a, s->slot, s->clock)) {
		bool covered = !(dh_cell_bytes(old) & ~dh_cell_bytes(now));

		return covered && (now & DH_CELL_WRITE || !(old & DH_CELL_WRITE)) ? ORDERED : KEEP;
	}
	if (meets && ((old | now) & DH_CELL_WRITE))
		conflict(a, old, now, address, pc, 0);
	return dh_cell_same_statement(old, now) ? REPEATED : KEEP;
}

static void note_visit(struct dh_thread *self, uintptr_t address, uint64_t access, uintptr_t pc)
{
	const struct dh_touch touch = {.address = address,
		.pc = pc,
		.bytes = dh_cell_bytes(access),
		.access = access_of(access)};

	if (address - (uintptr_t)self->stack_low <
		(uintptr_t)self->stack_high - (uintptr_t)self->stack_low)
		return;
	dh_stack_check(address, touch.access, pc);
	if (!dh_thread_by_stack((void *)address))
		return;
	follow(address);
	dh_visit_note(self, &touch);
}

/* Cells are filled from the front: behind an empty one there are no more.  What the statement did
 * in its own past is taken along: its bytes at the later time are at most looked at once more. */
void dh_screen(
	struct dh_thread *self, uint64_t *cells, uintptr_t address, uint64_t access, uintptr_t pc)
{
	static unsigned turn;
	const struct dh_actor *a = dh_actor_of(self);
	const uint64_t now = access | self->cell;
	unsigned victim = turn++ % DH_SHADOW_CELLS;
	uint64_t past = 0;
	enum worth best = KEEP;

	if (dh_unlikely(self->ignore | self->inside))
		return;
	if (dh_heap_freed(address))
		dh_heap_used_after_free(pc, address, access_of(access));
	if (dh_stack_maybe(address) && dh_detecting & DH_DETECT_ORDER)
		note_visit(self, address, access, pc);
	for (unsigned i = 0; i < DH_SHADOW_CELLS; i++) {
		const uint64_t old = cells[i];
		const struct dh_segment *s = &dh_segments[dh_cell_segment(old)];
		enum worth w = KEEP;

		if (!old)
			w = EMPTY;
		else if (s->slot != a->slot)
			w = other_cell(a, old, now, address, pc);
		else if (outdated(a, s, old, now))
			w = OUTDATED;
		if (w > best) {
			best = w;
			victim = i;
			past = w == OUTDATED ? old & ~DH_CELL_BUT_BYTES : 0;
		}
		if (!old)
			break;
	}
	cells[victim] = now | past;
}

static void free_granule(
	struct dh_thread *self, uintptr_t granule, const uint64_t *cells, uintptr_t pc)
{
	const struct dh_actor *a = dh_actor_of(self);
	uint64_t now = dh_cell_access(granule, 3, DH_CELL_WRITE, pc) | self->cell;

	for (unsigned i = 0; i < DH_SHADOW_CELLS; i++) {
		const struct dh_segment *s = &dh_segments[dh_cell_segment(cells[i])];

		if (cells[i] && s->slot != a->slot && !dh_actor_knows(a, s->slot, s->clock))
			conflict(a, cells[i], now, granule, pc, DH_SCHED_FREE);
	}
}

/* The end of a block meets every access to it that did not happen before.  It is not kept: what
 * comes later is a use of freed memory.  Nothing of the past is left behind. */
void dh_screen_free(struct dh_thread *self, uintptr_t address, uintptr_t end, uintptr_t pc)
{
	uintptr_t p = address & ~(uintptr_t)(DH_GRANULE - 1), next;

	for (; p < end; p = next) {
		uint64_t *cells = dh_shadow_known(p);

		next = (p | ((UINT64_C(1) << DH_SHADOW_CHUNK) - 1)) + 1;
		next = next < end ? next : end;
		for (uintptr_t at = p; cells && at < next; at += DH_GRANULE) {
			if (cells[0] | cells[1] | cells[2] | cells[3]) {
				free_granule(self, at, cells, pc);
				cells[0] = cells[1] = cells[2] = cells[3] = 0;
			}
			cells += DH_SHADOW_CELLS;
		}
	}
}
