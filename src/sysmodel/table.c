/* The table itself, and what is asked of a row without its memory.  The rows are in the .inc
 * files, by subject; a number that two of them claim is a compiler warning. */
#include "sysmodel/emit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#define N_ARGS(...) (int)(sizeof((uint8_t[]){0, ##__VA_ARGS__}) - 1)
#define LIST(...)                                                                                  \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define ROW(nr, n, cls, fl, types, ...)                                                            \
	[nr] = {.desc = {.name = #n,                                                               \
			.class = DH_SYS_##cls,                                                     \
			.flags = (fl),                                                             \
			.n_args = N_ARGS types},                                                   \
		.args = LIST types,                                                                \
		##__VA_ARGS__},
#define REQUESTS(list)      .requests = &dh_sys_##list
#define REFUSAL(code)       .refusal = (code)
#define WAIT(kind, a, mask) .wait = {.how = DH_SYS_NOWAIT_##kind, .arg = (a), .bit = (mask)}

#define BLK                 DH_SYS_BLOCKS
#define NEW                 DH_SYS_FD_NEW
#define FD                  DH_SYS_FD_ARG
#define WR                  DH_SYS_WRITES
#define VAR                 DH_SYS_VARIES
#define MASK                DH_SYS_SIGMASK

static const struct dh_sys_row rows[DH_SYS_MAX_NR + 1] = {
#include "sysmodel/rows_file.inc"
#include "sysmodel/rows_path.inc"
#include "sysmodel/rows_net.inc"
#include "sysmodel/rows_memory.inc"
#include "sysmodel/rows_process.inc"
#include "sysmodel/rows_time.inc"
#include "sysmodel/rows_ipc.inc"
#include "sysmodel/rows_system.inc"
};

const struct dh_sys_row *dh_sys_row(int64_t nr)
{
	if (nr < 0 || nr > DH_SYS_MAX_NR || !rows[nr].desc.name)
		return NULL;
	return &rows[nr];
}

const struct dh_sys_desc *dh_sysmodel_find(int64_t nr)
{
	const struct dh_sys_row *row = dh_sys_row(nr);

	return row ? &row->desc : NULL;
}

bool dh_sysmodel_always_stops(int64_t nr)
{
	const struct dh_sys_desc *d = dh_sysmodel_find(nr);

	return !d || d->class != DH_SYS_RERUN;
}

void dh_sysmodel_stops(uint8_t ret[DH_SYS_MAX_NR + 1])
{
	for (int64_t nr = 0; nr <= DH_SYS_MAX_NR; nr++)
		ret[nr] = dh_sysmodel_always_stops(nr);
}

bool dh_sysmodel_sets_state(int64_t nr)
{
	return nr == SYS_rt_sigaction || nr == SYS_sigaltstack;
}

bool dh_sysmodel_unknown(int64_t nr)
{
	return !dh_sys_row(nr);
}

int64_t dh_sysmodel_number(const char *name)
{
	for (int64_t nr = 0; nr <= DH_SYS_MAX_NR; nr++) {
		if (rows[nr].desc.name && strcmp(rows[nr].desc.name, name) == 0)
			return nr;
	}
	return -1;
}

const struct dh_sys_request *dh_sys_request(
	const struct dh_sys_row *row, const struct dh_sys_call *c)
{
	const struct dh_sys_requests *all = row->requests;
	uint64_t value;

	if (!all)
		return NULL;
	value = ((uint32_t)c->arg[all->arg] >> all->shift) & all->mask;
	if (all->prefix)
		value |= (uint64_t)(uint32_t)c->arg[all->prefix - 1] << 32;
	for (size_t i = 0; i < all->n; i++) {
		if (all->rows[i].value == value)
			return &all->rows[i];
	}
	return NULL;
}

enum dh_sys_class dh_sysmodel_class(const struct dh_sys_call *c)
{
	const struct dh_sys_row *row = dh_sys_row(c->nr);
	const struct dh_sys_request *req;

	if (!row)
		return DH_SYS_REFUSE;
	req = dh_sys_request(row, c);
	return req && req->class != DH_SYS_INHERIT ? (enum dh_sys_class)req->class : row->desc.class
		;
}

int dh_sysmodel_refusal(const struct dh_sys_call *c)
{
	const struct dh_sys_row *row = dh_sys_row(c->nr);
	const struct dh_sys_request *req = row ? dh_sys_request(row, c) : NULL;

	if (req && req->pretend && !(c->arg[row->requests->arg + 1] & req->pretend_not))
		return 0;
	if (req && req->refusal)
		return req->refusal;
	return row && row->refusal ? row->refusal : ENOSYS;
}

static bool time_is_zero(const struct dh_sys_call *c, uint64_t addr)
{
	uint64_t t[2];

	return addr && c->read && c->read(c->cookie, addr, t, sizeof(t)) == 0 && !t[0] && !t[1];
}

static bool does_not_wait(const struct dh_sys_row *row, const struct dh_sys_call *c)
{
	uint64_t arg = c->arg[row->wait.arg];

	switch ((enum dh_sys_nowait)row->wait.how) {
	case DH_SYS_NOWAIT_ZERO:
		return (uint32_t)arg == 0;
	case DH_SYS_NOWAIT_FLAG:
		return arg & row->wait.bit;
	case DH_SYS_NOWAIT_TIME:
		return time_is_zero(c, arg);
	case DH_SYS_NOWAIT_NEVER:
		break;
	}
	return false;
}

unsigned dh_sysmodel_flags(const struct dh_sys_call *c)
{
	const struct dh_sys_row *row = dh_sys_row(c->nr);
	const struct dh_sys_request *req;
	unsigned flags;

	if (!row)
		return 0;
	flags = row->desc.flags;
	req = dh_sys_request(row, c);
	/* What a listed request does about waiting and descriptors is in its own flags. */
	if (req)
		flags = (flags & ~(unsigned)(BLK | NEW)) | req->flags;
	if (does_not_wait(row, c))
		flags &= ~(unsigned)BLK;
	return flags;
}

int dh_sysmodel_sigmask(const struct dh_sys_call *c, uint64_t *ret)
{
	const struct dh_sys_row *row = dh_sys_row(c->nr);
	uint64_t at, pair[2];

	if (!row || !row->sigmask_arg)
		return 0;
	at = c->arg[row->sigmask_arg - 1];
	/* pselect6 has no argument left and points to the pointer and its size. */
	if (at && row->sigmask_arg == 6) {
		if (!c->read || c->read(c->cookie, at, pair, sizeof(pair)) != 0)
			return -EFAULT;
		at = pair[0];
	}
	if (!at)
		return 0;
	return c->read && c->read(c->cookie, at, ret, sizeof(*ret)) == 0 ? 1 : -EFAULT;
}
