/* Emitters for sockets: addresses with lengths that go both ways, message headers, options. */
#include "sysmodel/emit.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <linux/if_packet.h>
#include <linux/if_xdp.h>

/* The kernel stores the address's full length, even where only a part of it fitted. */
void dh_emit_sockaddr(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t addr = e->c->arg[m->arg], at = e->c->arg[m->len_arg];
	uint32_t len;

	if (!addr || !at || !dh_emit_read(e, at, &len, sizeof(len)))
		return;
	dh_emit_range(e, at, sizeof(len));
	dh_emit_bounded(e, addr, DH_MIN(len, (uint32_t)DH_SYS_MAX_SADDR));
}

static void message_out(struct dh_sys_emit *e, uint64_t at, const struct msghdr *h, uint64_t got)
{
	dh_emit_iovecs(e, (uintptr_t)h->msg_iov, h->msg_iovlen, got);
	dh_emit_range(e, at + offsetof(struct msghdr, msg_namelen), sizeof(h->msg_namelen));
	dh_emit_range(e, at + offsetof(struct msghdr, msg_controllen), 8);
	dh_emit_range(e, at + offsetof(struct msghdr, msg_flags), sizeof(h->msg_flags));
	dh_emit_bounded(e, (uintptr_t)h->msg_name, DH_MIN(h->msg_namelen, DH_SYS_MAX_SADDR));
	dh_emit_bounded(e, (uintptr_t)h->msg_control, DH_MIN(h->msg_controllen, 1UL << 20));
}

static void message_in(struct dh_sys_emit *e, const struct msghdr *h)
{
	dh_emit_iovecs(e, (uintptr_t)h->msg_iov, h->msg_iovlen, DH_SYS_MAX_RW);
	dh_emit_range(e, (uintptr_t)h->msg_name, DH_MIN(h->msg_namelen, DH_SYS_MAX_SADDR));
	dh_emit_range(e, (uintptr_t)h->msg_control, DH_MIN(h->msg_controllen, 1UL << 20));
}

void dh_emit_msghdr(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[m->arg];
	struct msghdr h;

	if (!dh_emit_read(e, at, &h, sizeof(h)))
		return;
	if (e->out)
		message_out(e, at, &h, dh_emit_result(e, DH_SYS_MAX_RW));
	else
		message_in(e, &h);
}

/* recvmmsg writes all of a message that it received, sendmmsg only the count of bytes. */
void dh_emit_mmsghdr(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[m->arg], n = dh_emit_length(e, m->len_arg);
	bool receives = !(e->row->desc.flags & DH_SYS_WRITES);
	struct mmsghdr h;

	n = DH_MIN(n, (uint64_t)DH_SYS_MAX_IOV);
	if (e->out)
		n = dh_emit_result(e, n);
	for (uint64_t i = 0; i < n && !e->err; i++, at += sizeof(h)) {
		if (!dh_emit_read(e, at, &h, sizeof(h)))
			return;
		if (e->out)
			dh_emit_range(e, at + offsetof(struct mmsghdr, msg_len), 4);
		if (e->out && receives)
			message_out(e, at, &h.msg_hdr, h.msg_len);
		if (!e->out)
			message_in(e, &h.msg_hdr);
	}
}

/* An option's value and its length.  Where the value did not fit, some options store the length
 * that they need and fail. */
static void sockopt(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[4];
	uint32_t len;

	if (!at || !dh_emit_read(e, at, &len, sizeof(len)))
		return;
	dh_emit_range(e, at, sizeof(len));
	if (e->out && (!e->failed || e->faulted))
		dh_emit_bounded(e, e->c->arg[3], len);
}

/* A filter's length counts instructions of eight bytes. */
static void sock_filter(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[4];
	uint32_t n;

	if (!dh_emit_read(e, at, &n, sizeof(n)))
		return;
	dh_emit_range(e, at, sizeof(n));
	dh_emit_range(e, e->c->arg[3], (uint64_t)DH_MIN(n, 4096U) * 8);
}

#define OPTION(level, name) ((uint64_t)(level) << 32 | (uint32_t)(name))
#define REFUSE_OPTION(level, name)                                                                 \
	DH_REQ_NAMED(OPTION(level, name), #name, REFUSE, .refusal = ENOPROTOOPT)

static const struct dh_sys_request get_rows[] = {
	DH_REQ_NAMED(OPTION(SOL_SOCKET, SO_ATTACH_FILTER), "SO_GET_FILTER", INHERIT,
		MEM({.emit = sock_filter, .dir = DH_SYS_OUT})),
	/* SO_PEERPIDFD: the value is a new descriptor. */
	DH_REQ_NAMED(OPTION(SOL_SOCKET, 77), "SO_PEERPIDFD", INHERIT,
		MEM({.emit = sockopt, .dir = DH_SYS_OUT, .when = DH_SYS_ALWAYS})),
	/* It maps pages of the network's buffers into the program. */
	REFUSE_OPTION(IPPROTO_TCP, TCP_ZEROCOPY_RECEIVE),
};

/* A new table of packet filters: the counters of the old one are stored where it says. */
static void replaced_table(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct {
		char name[32];
		uint32_t hooks[13], n_counters; /* the same for both versions of IP */
		uint64_t counters;
	} table;

	if (dh_emit_read(e, e->c->arg[3], &table, sizeof(table)))
		dh_emit_range(e, table.counters, (uint64_t)DH_MIN(table.n_counters, 1U << 20) * 16);
}

#define IPT_SO_SET_REPLACE  64
#define ARPT_SO_SET_REPLACE 96
#define EBT_SO_SET_ENTRIES  128
#define SET_OPTION(level, name, fn)                                                                \
	DH_REQ_NAMED(OPTION(level, name), #name, INHERIT,                                          \
		MEM({.emit = fn, .dir = DH_SYS_OUT, .when = DH_SYS_ON_SUCCESS}))

/* Refused: rings that the kernel shares with the program, which then makes no call to see data. */
static const struct dh_sys_request set_rows[] = {
	SET_OPTION(SOL_IP, IPT_SO_SET_REPLACE, replaced_table),
	SET_OPTION(SOL_IPV6, IPT_SO_SET_REPLACE, replaced_table),
	SET_OPTION(SOL_IP, ARPT_SO_SET_REPLACE, dh_emit_unknown),
	SET_OPTION(SOL_IP, EBT_SO_SET_ENTRIES, dh_emit_unknown),
	REFUSE_OPTION(SOL_PACKET, PACKET_RX_RING),
	REFUSE_OPTION(SOL_PACKET, PACKET_TX_RING),
	REFUSE_OPTION(SOL_XDP, XDP_RX_RING),
	REFUSE_OPTION(SOL_XDP, XDP_TX_RING),
	REFUSE_OPTION(SOL_XDP, XDP_UMEM_REG),
	REFUSE_OPTION(SOL_XDP, XDP_UMEM_FILL_RING),
	REFUSE_OPTION(SOL_XDP, XDP_UMEM_COMPLETION_RING),
};

const struct dh_sys_requests dh_sys_getsockopt = {
	.arg = 2,
	.prefix = 1 + 1,
	.mask = UINT32_MAX,
	.unknown = DH_SYS_UNKNOWN_ASK,
	.decode = sockopt,
	REQUEST_LIST(get_rows),
};

const struct dh_sys_requests dh_sys_setsockopt = {
	.arg = 2,
	.prefix = 1 + 1,
	.mask = UINT32_MAX,
	REQUEST_LIST(set_rows),
};
