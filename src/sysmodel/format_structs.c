/* Printers of structures, in the style of C initialisers. */
#include "sysmodel/format.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "base/buf.h"
#include "sysmodel/emit.h"

void dh_print_iovecs(struct dh_sys_print *p, uint64_t iov, uint64_t count, uint64_t total)
{
	struct iovec v;

	dh_buf_addc(p->out, '[');
	for (uint64_t i = 0; i < count; i++) {
		dh_buf_adds(p->out, i ? ", " : "");
		if (i == DH_PRINT_ELEMENTS ||
			!dh_print_read(p, iov + i * sizeof(v), &v, sizeof(v))) {
			dh_buf_adds(p->out, "...");
			break;
		}
		dh_buf_adds(p->out, "{iov_base=");
		dh_print_bytes(p, (uintptr_t)v.iov_base, DH_MIN((uint64_t)v.iov_len, total));
		dh_buf_addf(p->out, ", iov_len=%zu}", v.iov_len);
		total -= DH_MIN((uint64_t)v.iov_len, total);
	}
	dh_buf_addc(p->out, ']');
}

/* Bytes of the vectors that hold data: all of what is sent, the result of what is received. */
static uint64_t moved(const struct dh_sys_print *p)
{
	if (p->row->desc.flags & DH_SYS_WRITES)
		return DH_SYS_MAX_RW;
	return p->done ? (uint64_t)p->c->result : 0;
}

void dh_print_iov(struct dh_sys_print *p, int arg)
{
	struct iovec first;

	if (dh_print_read(p, p->c->arg[arg], &first, sizeof(first)))
		dh_print_iovecs(p, p->c->arg[arg], p->c->arg[arg + 1], moved(p));
	else
		dh_print_pointer(p, p->c->arg[arg]);
}

void dh_print_msg(struct dh_sys_print *p, int arg)
{
	bool sends = p->row->desc.flags & DH_SYS_WRITES;
	struct msghdr h;

	if (!dh_print_fetch(p, arg, &h, sizeof(h)))
		return;
	dh_buf_adds(p->out, "{msg_name=");
	if (h.msg_name && (sends || p->done))
		dh_print_sockaddr_at(p, (uintptr_t)h.msg_name, h.msg_namelen);
	else
		dh_print_pointer(p, (uintptr_t)h.msg_name);
	dh_buf_adds(p->out, ", msg_iov=");
	dh_print_iovecs(p, (uintptr_t)h.msg_iov, h.msg_iovlen, moved(p));
	dh_buf_addf(p->out, ", msg_controllen=%zu, msg_flags=", h.msg_controllen);
	dh_names_add(dh_sys_names_of(A_MSGF), (uint32_t)h.msg_flags, p->out);
	dh_buf_addc(p->out, '}');
}

static void print_inet(struct dh_sys_print *p, const struct sockaddr_in *a)
{
	char text[INET_ADDRSTRLEN] = "";

	inet_ntop(AF_INET, &a->sin_addr, text, sizeof(text));
	dh_buf_addf(
		p->out, "sin_port=htons(%u), sin_addr=inet_addr(\"%s\")", ntohs(a->sin_port), text);
}

static void print_inet6(struct dh_sys_print *p, const struct sockaddr_in6 *a)
{
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(AF_INET6, &a->sin6_addr, text, sizeof(text));
	dh_buf_addf(p->out, "sin6_port=htons(%u), sin6_addr=\"%s\"", ntohs(a->sin6_port), text);
}

/* A name in the file system ends with a zero or with the address; an abstract one begins with a
 * zero. */
static void print_unix(struct dh_sys_print *p, uint64_t addr, const char *path, size_t n)
{
	size_t skip = n && !path[0] ? 1 : 0, len = skip;

	while (len < n && (skip || path[len]))
		len++;
	dh_buf_adds(p->out, skip ? "sun_path=@" : "sun_path=");
	dh_print_bytes(p, addr + offsetof(struct sockaddr_un, sun_path) + skip, len - skip);
}

static void print_netlink(struct dh_sys_print *p, const struct sockaddr_nl *a)
{
	dh_buf_addf(p->out, "nl_pid=%u, nl_groups=%#x", a->nl_pid, a->nl_groups);
}

void dh_print_sockaddr_at(struct dh_sys_print *p, uint64_t addr, uint64_t len)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
		struct sockaddr_nl nl;
	} a = {0};
	size_t n = (size_t)DH_MIN(len, sizeof(a));

	if (n < sizeof(a.any.sa_family) || !dh_print_read(p, addr, &a, n)) {
		dh_print_pointer(p, addr);
		return;
	}
	dh_buf_adds(p->out, "{sa_family=");
	dh_names_add(dh_sys_names_of(A_AF), a.any.sa_family, p->out);
	dh_buf_adds(p->out, n > sizeof(a.any.sa_family) ? ", " : "");
	if (a.any.sa_family == AF_INET)
		print_inet(p, &a.in);
	else if (a.any.sa_family == AF_INET6)
		print_inet6(p, &a.in6);
	else if (a.any.sa_family == AF_NETLINK)
		print_netlink(p, &a.nl);
	else if (a.any.sa_family == AF_UNIX && n > sizeof(a.any.sa_family))
		print_unix(p, addr, a.un.sun_path, n - sizeof(a.any.sa_family));
	else if (n > sizeof(a.any.sa_family))
		dh_print_bytes(p, addr + sizeof(a.any.sa_family), n - sizeof(a.any.sa_family));
	dh_buf_addc(p->out, '}');
}

void dh_print_sockaddr(struct dh_sys_print *p, int arg)
{
	dh_print_sockaddr_at(p, p->c->arg[arg], (uint32_t)p->c->arg[arg + 1]);
}

void dh_print_sockaddr_out(struct dh_sys_print *p, int arg)
{
	uint32_t len;

	if (p->done && p->c->arg[arg] && dh_print_read(p, p->c->arg[arg + 1], &len, sizeof(len)))
		dh_print_sockaddr_at(p, p->c->arg[arg], len);
	else
		dh_print_pointer(p, p->c->arg[arg]);
}

void dh_print_timespec(struct dh_sys_print *p, int arg)
{
	struct timespec t;

	if (dh_print_fetch(p, arg, &t, sizeof(t)))
		dh_buf_addf(p->out, "{tv_sec=%ld, tv_nsec=%ld}", (long)t.tv_sec, t.tv_nsec);
}

void dh_print_timeval(struct dh_sys_print *p, int arg)
{
	struct timeval t;

	if (dh_print_fetch(p, arg, &t, sizeof(t)))
		dh_buf_addf(p->out, "{tv_sec=%ld, tv_usec=%ld}", (long)t.tv_sec, (long)t.tv_usec);
}

void dh_print_itimer(struct dh_sys_print *p, int arg)
{
	int64_t t[4];

	if (dh_print_fetch(p, arg, t, sizeof(t)))
		dh_buf_addf(p->out, "{interval={%ld, %ld}, value={%ld, %ld}}", (long)t[0],
			(long)t[1], (long)t[2], (long)t[3]);
}

static void print_events(
	struct dh_sys_print *p, const char *label, const struct dh_sys_names *names, uint32_t v)
{
	dh_buf_adds(p->out, label);
	dh_names_add(names, v, p->out);
}

void dh_print_pollfd(struct dh_sys_print *p, int arg)
{
	uint64_t at = p->c->arg[arg], n = (uint32_t)p->c->arg[arg + 1];
	struct pollfd fd;

	if (n && !dh_print_read(p, at, &fd, sizeof(fd))) {
		dh_print_pointer(p, at);
		return;
	}
	dh_buf_addc(p->out, '[');
	for (uint64_t i = 0; i < n; i++, at += sizeof(fd)) {
		dh_buf_adds(p->out, i ? ", " : "");
		if (i == DH_PRINT_ELEMENTS || !dh_print_read(p, at, &fd, sizeof(fd))) {
			dh_buf_adds(p->out, "...");
			break;
		}
		dh_buf_addf(p->out, "{fd=%d", fd.fd);
		print_events(p, ", events=", &dh_names_poll, (uint16_t)fd.events);
		if (p->done && fd.revents)
			print_events(p, ", revents=", &dh_names_poll, (uint16_t)fd.revents);
		dh_buf_addc(p->out, '}');
	}
	dh_buf_addc(p->out, ']');
}

void dh_print_sigset(struct dh_sys_print *p, uint64_t set)
{
	bool inverted = __builtin_popcountll(set) > 32;
	const char *separator = "";

	dh_buf_adds(p->out, inverted ? "~[" : "[");
	for (int sig = 1; sig <= 64; sig++) {
		bool in = set >> (sig - 1) & 1;
		const char *name = dh_sysmodel_signal_name(sig);

		if (in == inverted || !name)
			continue;
		dh_buf_addf(p->out, "%s%s", separator, name + sizeof("SIG") - 1);
		separator = " ";
	}
	dh_buf_addc(p->out, ']');
}

void dh_print_sigset_arg(struct dh_sys_print *p, int arg)
{
	uint64_t set;

	if (dh_print_fetch(p, arg, &set, sizeof(set)))
		dh_print_sigset(p, set);
}

void dh_print_sigaction(struct dh_sys_print *p, int arg)
{
	uint64_t a[4]; /* handler, flags, restorer, mask: the kernel's order */

	if (!dh_print_fetch(p, arg, a, sizeof(a)))
		return;
	dh_buf_adds(p->out, "{sa_handler=");
	if (a[0] <= 1)
		dh_buf_adds(p->out, a[0] ? "SIG_IGN" : "SIG_DFL");
	else
		dh_print_pointer(p, a[0]);
	dh_buf_adds(p->out, ", sa_mask=");
	dh_print_sigset(p, a[3]);
	print_events(p, ", sa_flags=", &dh_names_sigaction, (uint32_t)a[1]);
	dh_buf_addc(p->out, '}');
}

void dh_print_epoll_event(struct dh_sys_print *p, int arg)
{
	struct epoll_event ev;

	if (!dh_print_fetch(p, arg, &ev, sizeof(ev)))
		return;
	print_events(p, "{events=", &dh_names_epoll, ev.events);
	dh_buf_addf(p->out, ", data=%#lx}", ev.data.u64);
}

void dh_print_fds(struct dh_sys_print *p, int arg)
{
	int fds[2];

	if (dh_print_fetch(p, arg, fds, sizeof(fds)))
		dh_buf_addf(p->out, "[%d, %d]", fds[0], fds[1]);
}

void dh_print_intp(struct dh_sys_print *p, int arg)
{
	int v;

	if (dh_print_fetch(p, arg, &v, sizeof(v)))
		dh_buf_addf(p->out, "[%d]", v);
}

void dh_print_status(struct dh_sys_print *p, int arg)
{
	int s;

	if (p->done && p->c->result <= 0) {
		dh_print_pointer(p, p->c->arg[arg]);
		return;
	}
	if (!dh_print_fetch(p, arg, &s, sizeof(s)))
		return;
	if (WIFEXITED(s)) {
		dh_buf_addf(p->out, "[exited %d]", WEXITSTATUS(s));
		return;
	}
	dh_buf_adds(p->out, WIFSTOPPED(s) ? "[stopped " : WIFCONTINUED(s) ? "[" : "[killed ");
	dh_print_signal(p, WIFSTOPPED(s) ? WSTOPSIG(s) : WIFCONTINUED(s) ? SIGCONT : WTERMSIG(s));
	dh_buf_adds(p->out, WIFSIGNALED(s) && WCOREDUMP(s) ? ", core dumped]" : "]");
}

static void print_limit(struct dh_sys_print *p, const char *label, uint64_t v)
{
	if (v == RLIM64_INFINITY)
		dh_buf_addf(p->out, "%sRLIM64_INFINITY", label);
	else
		dh_buf_addf(p->out, "%s%lu", label, v);
}

void dh_print_rlimit(struct dh_sys_print *p, int arg)
{
	uint64_t limit[2];

	if (!dh_print_fetch(p, arg, limit, sizeof(limit)))
		return;
	print_limit(p, "{rlim_cur=", limit[0]);
	print_limit(p, ", rlim_max=", limit[1]);
	dh_buf_addc(p->out, '}');
}

void dh_print_clone_args(struct dh_sys_print *p, int arg)
{
	struct clone_args a = {0};
	uint64_t n = DH_MIN(p->c->arg[arg + 1], (uint64_t)sizeof(a));

	if (!dh_print_read(p, p->c->arg[arg], &a, n)) {
		dh_print_pointer(p, p->c->arg[arg]);
		return;
	}
	dh_buf_adds(p->out, "{flags=");
	dh_names_add(dh_sys_names_of(A_CLONE), a.flags, p->out);
	dh_buf_adds(p->out, ", exit_signal=");
	dh_print_signal(p, (int)a.exit_signal);
	dh_buf_addf(p->out, ", stack=%#llx, stack_size=%#llx}", a.stack, a.stack_size);
}

void dh_print_open_how(struct dh_sys_print *p, int arg)
{
	struct open_how how;

	if (!dh_print_fetch(p, arg, &how, sizeof(how)))
		return;
	dh_buf_adds(p->out, "{flags=");
	dh_names_add(dh_sys_names_of(A_OPEN), how.flags, p->out);
	dh_buf_addf(p->out, ", mode=%#03llo, resolve=%#llx}", how.mode, how.resolve);
}
