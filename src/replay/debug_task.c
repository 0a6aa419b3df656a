/* The tasks of the attached process, as a debugger shows them. */
#include "replay/debug.h"
#include "replay/replayer.h" /* before <elf.h>, which has an AT_ENTRY of its own */

#include <elf.h>
#include <errno.h>

#define ARGS_MAX (1u << 22) /* words; the kernel allows far less */
#define AUXV_MAX 128

static bool is_shown(const struct dh_replay *r, const struct dh_replay_task *t)
{
	return t->pid == r->debug->pid && !t->dead;
}

size_t debug_tasks(const struct dh_replay *r, struct dh_replay_task **ret, size_t max)
{
	size_t n = 0;

	dh_map_foreach (slot, &r->tasks) {
		struct dh_replay_task *t = (struct dh_replay_task *)(uintptr_t)slot->value;
		size_t i = n;

		if (!is_shown(r, t) || n == max)
			continue;
		for (; i > 0 && ret[i - 1]->id > t->id; i--)
			ret[i] = ret[i - 1];
		ret[i] = t;
		n++;
	}
	return n;
}

struct dh_replay_task *debug_task(const struct dh_replay *r, uint32_t tid)
{
	dh_map_foreach (slot, &r->tasks) {
		struct dh_replay_task *t = (struct dh_replay_task *)(uintptr_t)slot->value;

		if (is_shown(r, t) && t->tid == tid)
			return t;
	}
	return NULL;
}

struct dh_replay_task *debug_any_task(const struct dh_replay *r)
{
	struct dh_replay_task *first = r->debug->current;

	if (first && is_shown(r, first))
		return first;
	return debug_tasks(r, &first, 1) ? first : NULL;
}

int debug_regs(struct dh_replay_task *t, struct dh_regs *ret)
{
	int e;

	if (t->at ==
		AT_KERNEL) { /* what the kernel has put there is this machine's, not the log's */
		*ret = t->entry;
		return 0;
	}
	e = dh_tracee_get_regs(&t->t, ret);
	if (e == 0)
		dh_regs_clear_trap(ret);
	return e;
}

static int read_word(struct dh_replay_task *t, uint64_t addr, uint64_t *ret)
{
	return dh_tracee_read(&t->t, addr, ret, sizeof(*ret));
}

/* Behind the arguments and the environment, each ended by a zero. */
static int find_auxv(struct dh_replay_task *t, uint64_t *ret)
{
	uint64_t at = t->stack, word = 0;
	int e = read_word(t, at, &word);

	if (e < 0 || word > ARGS_MAX)
		return -ENOENT;
	at += 8 * (1 + word + 1);
	for (unsigned i = 0; i < ARGS_MAX; i++, at += 8) {
		if (read_word(t, at, &word) < 0)
			return -ENOENT;
		if (!word) {
			*ret = at + 8;
			return 0;
		}
	}
	return -ENOENT;
}

int debug_auxv(struct dh_replay_task *t, struct dh_buf *out)
{
	uint64_t at, pair[2];
	int e = t->stack ? find_auxv(t, &at) : -ENOENT;

	for (unsigned i = 0; e == 0 && i < AUXV_MAX; i++, at += sizeof(pair)) {
		e = dh_tracee_read(&t->t, at, pair, sizeof(pair));
		if (e < 0)
			break;
		dh_buf_add(out, pair, sizeof(pair));
		if (pair[0] == AT_NULL)
			break;
	}
	return e;
}
