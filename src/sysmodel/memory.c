#include "sysmodel/emit.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

/* Probing for the end of readable memory is one read for each page; the bound keeps that short. */
#define PROBE_MAX (64UL << 20)
#define PAGE      4096UL
/* The end of user space with five-level page tables. */
#define USER_END 0x00fffffffffff000UL

/* The codes with which the kernel restarts an interrupted call; only tracers see them. */
#define ERESTART_FIRST 512
#define ERESTART_LAST  516

bool dh_emit_read(struct dh_sys_emit *e, uint64_t addr, void *p, size_t n)
{
	if (e->err)
		return false;
	if (e->c->read && addr && e->c->read(e->c->cookie, addr, p, n) == 0)
		return true;
	if (!e->failed)
		e->err = -EFAULT;
	return false;
}

static void add(struct dh_sys_emit *e, uint64_t addr, uint64_t len)
{
	struct dh_sys_range *last = e->n > 0 ? &e->ranges[e->n - 1] : NULL;

	if (last && last->addr + last->len == addr) {
		last->len += len;
		return;
	}
	if (e->n == e->max) {
		e->err = -E2BIG;
		return;
	}
	e->ranges[e->n++] = (struct dh_sys_range){.addr = addr, .len = len};
}

static uint64_t readable(struct dh_sys_emit *e, uint64_t addr, uint64_t len)
{
	uint64_t have = 0;
	char c;

	len = DH_MIN(len, PROBE_MAX);
	while (have < len) {
		if (!e->c->read || e->c->read(e->c->cookie, addr + have, &c, 1) != 0)
			return have;
		have += PAGE - ((addr + have) & (PAGE - 1));
	}
	return len;
}

void dh_emit_bounded(struct dh_sys_emit *e, uint64_t addr, uint64_t len)
{
	if (e->err || !addr || !len || addr >= USER_END)
		return;
	len = readable(e, addr, DH_MIN(len, USER_END - addr));
	if (len)
		add(e, addr, len);
}

void dh_emit_range(struct dh_sys_emit *e, uint64_t addr, uint64_t len)
{
	if (e->failed) {
		dh_emit_bounded(e, addr, len);
		return;
	}
	if (e->err || !addr || !len)
		return;
	len = DH_MIN(len, DH_SYS_MAX_RW);
	if (addr >= USER_END || len > USER_END - addr)
		e->err = -EFAULT;
	else
		add(e, addr, len);
}

uint64_t dh_emit_result(const struct dh_sys_emit *e, uint64_t bound)
{
	if (e->faulted)
		return DH_MIN(bound, DH_SYS_MAX_RW);
	return e->c->result < 0 ? 0 : DH_MIN((uint64_t)e->c->result, bound);
}

/* A register has 64 bits; where the kernel takes an int, the upper half is garbage. */
uint64_t dh_emit_length(const struct dh_sys_emit *e, int arg)
{
	uint64_t v = e->c->arg[arg];

	if (e->row->args[arg] == A_UINT)
		return (uint32_t)v;
	if (e->row->args[arg] == A_INT)
		return (int32_t)v < 0 ? 0 : (uint32_t)v;
	return v;
}

void dh_emit_fixed(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	dh_emit_range(e, e->c->arg[m->arg], m->size);
}

void dh_emit_count(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t n = dh_emit_length(e, m->len_arg);

	n = DH_MIN(n, DH_SYS_MAX_RW / m->size);
	dh_emit_range(e, e->c->arg[m->arg], n * m->size);
}

/* `result` elements, never more than the argument that says how many fit. */
void dh_emit_result_bytes(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t bound = m->len_arg == DH_SYS_NO_ARG ? UINT64_MAX : dh_emit_length(e, m->len_arg);
	uint64_t n;

	if (m->len_arg == DH_SYS_NO_ARG && e->faulted)
		return;
	n = DH_MIN(dh_emit_result(e, bound), DH_SYS_MAX_RW / m->size);
	dh_emit_range(e, e->c->arg[m->arg], n * m->size);
}

void dh_emit_iovecs(struct dh_sys_emit *e, uint64_t iov, uint64_t count, uint64_t total)
{
	struct iovec v;
	uint64_t n;

	if (count > DH_SYS_MAX_IOV)
		return; /* the kernel says EINVAL */
	for (uint64_t i = 0; i < count && total && !e->err; i++) {
		if (!dh_emit_read(e, iov + i * sizeof(v), &v, sizeof(v)))
			return;
		n = DH_MIN((uint64_t)v.iov_len, total);
		dh_emit_range(e, (uintptr_t)v.iov_base, n);
		total -= n;
	}
}

void dh_emit_iov(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t total = e->out ? dh_emit_result(e, DH_SYS_MAX_RW) : DH_SYS_MAX_RW;

	dh_emit_iovecs(e, e->c->arg[m->arg], dh_emit_length(e, m->len_arg), total);
}

void dh_emit_cstring(struct dh_sys_emit *e, uint64_t addr)
{
	char chunk[64];
	uint64_t len = 0;

	if (!addr)
		return;
	while (len < DH_SYS_MAX_PATH) {
		size_t n = DH_MIN(sizeof(chunk), PAGE - ((addr + len) & (PAGE - 1)));
		const char *end;

		if (!dh_emit_read(e, addr + len, chunk, n))
			return;
		end = memchr(chunk, '\0', n);
		if (end) {
			len += (uint64_t)(end - chunk) + 1;
			break;
		}
		len += n;
	}
	dh_emit_range(e, addr, DH_MIN(len, (uint64_t)DH_SYS_MAX_PATH));
}

void dh_emit_string(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	dh_emit_cstring(e, e->c->arg[m->arg]);
}

static bool interrupted(int64_t result)
{
	return result == -EINTR || (result <= -ERESTART_FIRST && result >= -ERESTART_LAST);
}

static bool applies(const struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	int64_t result = e->c->result;

	if (!(m->dir & (e->out ? DH_SYS_OUT : DH_SYS_IN)))
		return false;
	if (!e->out || e->faulted || m->when == DH_SYS_ALWAYS)
		return true;
	if (m->when == DH_SYS_ON_INTERRUPT)
		return interrupted(result);
	if (m->when == DH_SYS_ON_DONE)
		return result >= 0 || interrupted(result);
	return m->when == DH_SYS_ON_POSITIVE ? result > 0 : result >= 0;
}

static void run(struct dh_sys_emit *e, const struct dh_sys_mem *mem, size_t n)
{
	for (size_t i = 0; i < n && mem[i].emit && !e->err; i++) {
		if (applies(e, &mem[i]))
			mem[i].emit(e, &mem[i]);
	}
}

/* Errors that a kernel gives before it looks at a request's memory. */
static bool failed_early(int64_t result)
{
	static const int16_t codes[] = {EBADF, EINVAL, ENOTTY, ENOSYS, EPERM, EACCES, ENOTSOCK,
		EOPNOTSUPP, ENOPROTOOPT, ENODEV, ENXIO, ENOMEM};

	for (size_t i = 0; i < DH_ARRAY_SIZE(codes); i++) {
		if (result == -codes[i])
			return true;
	}
	return false;
}

static void run_request(struct dh_sys_emit *e)
{
	const struct dh_sys_requests *all = e->row->requests;
	const struct dh_sys_request *req = dh_sys_request(e->row, e->c);

	if (req) {
		run(e, req->mem, DH_ARRAY_SIZE(req->mem));
		return;
	}
	if (all->unknown == DH_SYS_UNKNOWN_PLAIN)
		return;
	if (e->out && failed_early(e->c->result))
		return;
	if (all->decode)
		all->decode(e, NULL);
	else
		e->err = -ENOTSUP;
}

int dh_emit_row(struct dh_sys_emit *e)
{
	const struct dh_sys_row *row = e->row;

	run(e, row->mem, DH_SYS_MEMS);
	if (row->requests && !e->err)
		run_request(e);
	for (int i = 0; i < row->desc.n_args && !e->out && !e->err; i++) {
		if (row->args[i] == A_STR)
			dh_emit_cstring(e, e->c->arg[i]);
	}
	return e->err;
}

static int emit_all(const struct dh_sys_call *c, bool out, struct dh_sys_range *ret, int max)
{
	struct dh_sys_emit e = {
		.c = c,
		.row = dh_sys_row(c->nr),
		.ranges = ret,
		.max = max,
		.out = out,
		.failed = out && c->result < 0,
		.faulted = out && c->result == -EFAULT,
	};

	if (!e.row)
		return -ENOTSUP;
	return dh_emit_row(&e) < 0 ? e.err : e.n;
}

int dh_sysmodel_outputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max)
{
	return emit_all(c, true, ret, max);
}

int dh_sysmodel_inputs(const struct dh_sys_call *c, struct dh_sys_range *ret, int max)
{
	return emit_all(c, false, ret, max);
}
