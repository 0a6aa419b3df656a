#include "sysmodel/format.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "base/buf.h"
#include "sysmodel/emit.h"

#define PAGE 4096UL

bool dh_print_read(struct dh_sys_print *p, uint64_t addr, void *to, size_t n)
{
	return addr && p->c->read && p->c->read(p->c->cookie, addr, to, n) == 0;
}

void dh_print_pointer(struct dh_sys_print *p, uint64_t addr)
{
	if (addr)
		dh_buf_addf(p->out, "%#lx", addr);
	else
		dh_buf_adds(p->out, "NULL");
}

static void add_escaped(struct dh_buf *out, const unsigned char *s, size_t n)
{
	static const char named[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";

	for (size_t i = 0; i < n; i++) {
		const char *at = s[i] ? strchr(named, s[i]) : NULL;

		if (at)
			dh_buf_addf(out, "\\%c", letters[at - named]);
		else if (s[i] >= ' ' && s[i] < 0x7f)
			dh_buf_addc(out, (char)s[i]);
		else if (i + 1 < n && s[i + 1] >= '0' && s[i + 1] <= '7')
			dh_buf_addf(out, "\\%03o", s[i]);
		else
			dh_buf_addf(out, "\\%o", s[i]);
	}
}

void dh_print_bytes(struct dh_sys_print *p, uint64_t addr, uint64_t len)
{
	unsigned char text[DH_PRINT_BYTES];
	size_t n = (size_t)DH_MIN(len, sizeof(text));

	if (!addr || (n && !dh_print_read(p, addr, text, n))) {
		dh_print_pointer(p, addr);
		return;
	}
	dh_buf_addc(p->out, '"');
	add_escaped(p->out, text, n);
	dh_buf_adds(p->out, len > n ? "\"..." : "\"");
}

/* Never reads over the end of a page that the string does not reach. */
void dh_print_string(struct dh_sys_print *p, uint64_t addr)
{
	char text[DH_PRINT_BYTES + 1];
	uint64_t len = 0;

	while (addr && len < sizeof(text)) {
		size_t n = DH_MIN(sizeof(text) - len, PAGE - ((addr + len) & (PAGE - 1)));
		const char *end;

		if (!dh_print_read(p, addr + len, text + len, n)) {
			dh_print_pointer(p, addr);
			return;
		}
		end = memchr(text + len, '\0', n);
		if (end) {
			len = (uint64_t)(end - text);
			break;
		}
		len += n;
	}
	dh_print_bytes(p, addr, len);
}

bool dh_print_fetch(struct dh_sys_print *p, int arg, void *to, size_t n)
{
	unsigned dir = 0;

	for (size_t i = 0; i < DH_SYS_MEMS && p->row->mem[i].emit; i++) {
		if (p->row->mem[i].arg == arg)
			dir |= p->row->mem[i].dir;
	}
	if ((dir == DH_SYS_OUT && !p->done) || !dh_print_read(p, p->c->arg[arg], to, n)) {
		dh_print_pointer(p, p->c->arg[arg]);
		return false;
	}
	return true;
}

static void print_int(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%d", (int)p->c->arg[arg]);
}

static void print_uint(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%u", (unsigned)p->c->arg[arg]);
}

static void print_long(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%ld", (long)p->c->arg[arg]);
}

static void print_size(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%lu", p->c->arg[arg]);
}

static void print_hex(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%#lx", p->c->arg[arg]);
}

static void print_pointer(struct dh_sys_print *p, int arg)
{
	dh_print_pointer(p, p->c->arg[arg]);
}

static void print_mode(struct dh_sys_print *p, int arg)
{
	dh_buf_addf(p->out, "%#03o", (unsigned)p->c->arg[arg] & 07777777);
}

static void print_id(struct dh_sys_print *p, int arg)
{
	if ((uint32_t)p->c->arg[arg] == UINT32_MAX)
		dh_buf_adds(p->out, "-1");
	else
		print_uint(p, arg);
}

static void print_dirfd(struct dh_sys_print *p, int arg)
{
	if ((int)p->c->arg[arg] == AT_FDCWD)
		dh_buf_adds(p->out, "AT_FDCWD");
	else
		print_int(p, arg);
}

static void print_string(struct dh_sys_print *p, int arg)
{
	dh_print_string(p, p->c->arg[arg]);
}

static void print_strings(struct dh_sys_print *p, int arg)
{
	uint64_t at = p->c->arg[arg], s;

	if (!dh_print_read(p, at, &s, sizeof(s))) {
		dh_print_pointer(p, at);
		return;
	}
	dh_buf_addc(p->out, '[');
	for (int i = 0; s; i++) {
		dh_buf_adds(p->out, i ? ", " : "");
		if (i == 2 * DH_PRINT_ELEMENTS) {
			dh_buf_adds(p->out, "...");
			break;
		}
		dh_print_string(p, s);
		at += sizeof(s);
		if (!dh_print_read(p, at, &s, sizeof(s)))
			break;
	}
	dh_buf_addc(p->out, ']');
}

/* The bytes that the row's own memory says, so that printing and recording agree. */
static void print_buffer(struct dh_sys_print *p, int arg)
{
	for (size_t i = 0; i < DH_SYS_MEMS && p->row->mem[i].emit; i++) {
		const struct dh_sys_mem *m = &p->row->mem[i];
		struct dh_sys_range range = {0};
		struct dh_sys_emit e = {.c = p->c,
			.row = p->row,
			.ranges = &range,
			.max = 1,
			.out = m->dir == DH_SYS_OUT};

		if (m->arg != arg || (e.out && !p->done))
			continue;
		m->emit(&e, m);
		dh_print_bytes(p, p->c->arg[arg], e.err ? 0 : range.len);
		return;
	}
	dh_print_pointer(p, p->c->arg[arg]);
}

void dh_print_signal(struct dh_sys_print *p, int sig)
{
	const char *name = dh_sysmodel_signal_name(sig);

	if (name)
		dh_buf_adds(p->out, name);
	else
		dh_buf_addf(p->out, "%d", sig);
}

static void print_signal(struct dh_sys_print *p, int arg)
{
	dh_print_signal(p, (int)p->c->arg[arg]);
}

static void print_device(struct dh_sys_print *p, int arg)
{
	dev_t dev = p->c->arg[arg];

	dh_buf_addf(p->out, "makedev(%u, %u)", major(dev), minor(dev));
}

/* Flags, and in the lowest byte the signal that the parent gets. */
static void print_clone(struct dh_sys_print *p, int arg)
{
	uint64_t flags = p->c->arg[arg];

	if (flags & ~0xffUL)
		dh_names_add(dh_sys_names_of(A_CLONE), flags & ~0xffUL, p->out);
	if ((flags & ~0xffUL) && (flags & 0xff))
		dh_buf_addc(p->out, '|');
	if (!(flags & ~0xffUL) || (flags & 0xff))
		dh_print_signal(p, (int)(flags & 0xff));
}

static void print_futex_op(struct dh_sys_print *p, const char *name, uint32_t op)
{
	dh_buf_adds(p->out, name);
	if (op & FUTEX_PRIVATE_FLAG)
		dh_buf_adds(p->out, "_PRIVATE");
	if (op & FUTEX_CLOCK_REALTIME)
		dh_buf_adds(p->out, "|FUTEX_CLOCK_REALTIME");
}

static void print_ioctl_number(struct dh_sys_print *p, uint32_t request)
{
	dh_buf_adds(p->out, "_IOC(");
	dh_names_add(&dh_names_ioctl_dir, _IOC_DIR(request), p->out);
	dh_buf_addf(p->out, ", %#x, %#x, %#x)", _IOC_TYPE(request), _IOC_NR(request),
		_IOC_SIZE(request));
}

static void print_request(struct dh_sys_print *p, int arg)
{
	const struct dh_sys_request *req = dh_sys_request(p->row, p->c);
	uint32_t value = (uint32_t)p->c->arg[arg];

	if (req && p->row->requests == &dh_sys_futex)
		print_futex_op(p, req->name, value);
	else if (req && p->row->requests->shift)
		dh_buf_addf(p->out, "QCMD(%s, %u)", req->name, value & 0xff);
	else if (req)
		dh_buf_adds(p->out, req->name);
	else if (p->row->requests == &dh_sys_ioctl)
		print_ioctl_number(p, value);
	else
		dh_buf_addf(p->out, "%#x", value);
}

/* A number, or what it points to where that is an int. */
static void print_ioctl_arg(struct dh_sys_print *p, int arg)
{
	const struct dh_sys_request *req = dh_sys_request(p->row, p->c);
	const struct dh_sys_mem *m = req && req->mem[0].emit ? &req->mem[0] : NULL;
	int value;

	if (req && req->by_value)
		print_int(p, arg);
	else if (m && m->emit == dh_emit_fixed && m->size == 4 &&
		 (m->dir != DH_SYS_OUT || p->done) &&
		 dh_print_read(p, p->c->arg[arg], &value, sizeof(value)))
		dh_buf_addf(p->out, "[%d]", value);
	else
		dh_print_pointer(p, p->c->arg[arg]);
}

/* The commands whose third argument is not a pointer. */
static void print_fcntl_arg(struct dh_sys_print *p, int arg)
{
	const struct dh_sys_request *req = dh_sys_request(p->row, p->c);
	uint32_t value = (uint32_t)p->c->arg[arg];

	if (!req || req->mem[0].emit) {
		dh_print_pointer(p, p->c->arg[arg]);
		return;
	}
	switch (req->value) {
	case F_SETFD:
		dh_names_add(&dh_names_fd_flags, value, p->out);
		break;
	case F_SETFL:
		dh_names_add(dh_sys_names_of(A_OPEN), value, p->out);
		break;
	case F_ADD_SEALS:
		dh_names_add(&dh_names_seals, value, p->out);
		break;
	case F_SETSIG:
		dh_print_signal(p, (int)value);
		break;
	default:
		print_int(p, arg);
	}
}

static void print_level_option(struct dh_sys_print *p, int arg)
{
	uint32_t level = (uint32_t)p->c->arg[arg - 1], option = (uint32_t)p->c->arg[arg];

	if (level == SOL_SOCKET)
		dh_names_add(dh_sys_names_of(A_SOCKOPT), option, p->out);
	else if (level == IPPROTO_TCP)
		dh_names_add(&dh_names_tcp_options, option, p->out);
	else
		dh_buf_addf(p->out, "%u", option);
}

static dh_sys_print_fn *const printers[A_FIRST_NAMES] = {
	[A_NONE] = print_hex,
	[A_INT] = print_int,
	[A_UINT] = print_uint,
	[A_LONG] = print_long,
	[A_SIZE] = print_size,
	[A_HEX] = print_hex,
	[A_PTR] = print_pointer,
	[A_MODE] = print_mode,
	[A_ID] = print_id,
	[A_FD] = print_int,
	[A_DIRFD] = print_dirfd,
	[A_STR] = print_string,
	[A_STRV] = print_strings,
	[A_BUF] = print_buffer,
	[A_IOV] = dh_print_iov,
	[A_MSG] = dh_print_msg,
	[A_SADDR] = dh_print_sockaddr,
	[A_SADDR_OUT] = dh_print_sockaddr_out,
	[A_TIMESPEC] = dh_print_timespec,
	[A_TIMEVAL] = dh_print_timeval,
	[A_ITIMER] = dh_print_itimer,
	[A_POLLFD] = dh_print_pollfd,
	[A_SIGSET] = dh_print_sigset_arg,
	[A_SIGACTION] = dh_print_sigaction,
	[A_EPOLL_EVENT] = dh_print_epoll_event,
	[A_FDS] = dh_print_fds,
	[A_INTP] = dh_print_intp,
	[A_STATUS] = dh_print_status,
	[A_RLIMIT_P] = dh_print_rlimit,
	[A_CLONE_ARGS] = dh_print_clone_args,
	[A_OPEN_HOW] = dh_print_open_how,
	[A_SIG] = print_signal,
	[A_DEV] = print_device,
	[A_REQUEST] = print_request,
	[A_IOCTL_ARG] = print_ioctl_arg,
	[A_FCNTL_ARG] = print_fcntl_arg,
	[A_LEVEL_OPTION] = print_level_option,
};

static void print_arg(struct dh_sys_print *p, int arg)
{
	enum dh_sys_arg type = p->row->args[arg];
	uint64_t value = p->c->arg[arg];
	/* Only these are longs in the kernel. */
	bool wide = type == A_MAP || type == A_PROT || type == A_MOUNT;

	if (type == A_CLONE)
		print_clone(p, arg);
	else if (type < A_FIRST_NAMES)
		printers[type](p, arg);
	else
		dh_names_add(dh_sys_names_of(type), wide ? value : (uint32_t)value, p->out);
}

/* Arguments that the call does not look at are left out: a mode without O_CREAT, a value that
 * a command of fcntl does not take. */
static bool is_used(const struct dh_sys_print *p, int arg)
{
	static const int16_t bare[] = {
		F_GETFD, F_GETFL, F_GETOWN, F_GETSIG, F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS};
	const uint8_t *types = p->row->args;

	if (types[arg] == A_MODE && arg > 0 && types[arg - 1] == A_OPEN)
		return p->c->arg[arg - 1] & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
	if (types[arg] == A_FCNTL_ARG) {
		for (size_t i = 0; i < DH_ARRAY_SIZE(bare); i++) {
			if ((int)p->c->arg[1] == bare[i])
				return false;
		}
	}
	return true;
}

static void print_result(struct dh_sys_print *p)
{
	int64_t result = p->c->result;
	const char *name = p->failed ? dh_sysmodel_errno_name((int)-result) : NULL;
	const char *words = p->failed && -result < 512 ? strerrordesc_np((int)-result) : NULL;

	if (name && words)
		dh_buf_addf(p->out, " = -1 %s (%s)", name, words);
	else if (name)
		dh_buf_addf(p->out, " = ? %s", name);
	else if (p->row && p->row->address)
		dh_buf_addf(p->out, " = %#lx", (uint64_t)result);
	else
		dh_buf_addf(p->out, " = %ld", (long)result);
}

static void print_unknown(struct dh_sys_print *p)
{
	dh_buf_addf(p->out, "syscall_%ld(", (long)p->c->nr);
	for (int i = 0; i < 6; i++)
		dh_buf_addf(p->out, "%s%#lx", i ? ", " : "", p->c->arg[i]);
}

void dh_sysmodel_format(const struct dh_sys_call *c, bool with_result, struct dh_buf *out)
{
	bool failed = with_result && c->result < 0 && c->result >= -4095;
	struct dh_sys_print p = {
		.c = c,
		.row = dh_sys_row(c->nr),
		.out = out,
		.done = with_result && !failed,
		.failed = failed,
	};

	if (!p.row) {
		print_unknown(&p);
	} else {
		dh_buf_addf(out, "%s(", p.row->desc.name);
		for (int i = 0; i < p.row->desc.n_args && is_used(&p, i); i++) {
			dh_buf_adds(out, i ? ", " : "");
			print_arg(&p, i);
		}
	}
	dh_buf_addc(out, ')');
	if (with_result)
		print_result(&p);
}
