/* The requests of ioctl.
 *
 * Numbers of today encode direction and size, which is all there is to know where a structure
 * holds no pointer and no length; families where that is so are listed, and decoded.  The old
 * numbers, and those of such families that do otherwise, are rows.  Everything else is not
 * known, and the caller hears so. */
#include "sysmodel/emit.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <linux/fd.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsmap.h>
#include <linux/fsverity.h>
#include <linux/hdreg.h>
#include <linux/if_tun.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <linux/loop.h>
#include <linux/random.h>
#include <linux/serial.h>
#include <linux/sockios.h>
#include <linux/vt.h>

#include <linux/fiemap.h>

#define PLAIN(v)      DH_REQ_NAMED(v, #v, INHERIT, .by_value = true)
#define GET(v, size)  DH_REQ_NAMED(v, #v, INHERIT, MEM(OUT(2, size)))
#define SET(v, size)  DH_REQ_NAMED(v, #v, INHERIT, MEM(IN(2, size)))
#define BOTH(v, size) DH_REQ_NAMED(v, #v, INHERIT, MEM(INOUT(2, size)))
#define NEW_FD(v)     DH_REQ_NAMED(v, #v, INHERIT, .by_value = true, .flags = DH_SYS_FD_NEW)
#define WAITS(v)      DH_REQ_NAMED(v, #v, INHERIT, .by_value = true, .flags = DH_SYS_BLOCKS)
#define STRUCT(v, fn) DH_REQ_NAMED(v, #v, INHERIT, MEM(SPECIAL(fn, INOUT, ON_SUCCESS, 2, NOARG)))
#define UNKNOWN(v)    DH_REQ_NAMED(v, #v, INHERIT, MEM(SPECIAL(unknown, INOUT, ON_SUCCESS, 2, NOARG)))

#define TERMIOS       36 /* the kernel's, smaller than libc's */
#define TERMIO        18
#define WINSIZE       8
#define IFREQ         40
#define ARPREQ        68

/* Requests of the name spaces', the processes' and the control groups' descriptors that return
 * a descriptor; newer than some systems' headers. */
#define NSFS(n)  _IO(0xb7, n)
#define PIDFS(n) _IO(0xff, n)

static const struct dh_sys_request rows[] = {
	/* Terminals. */
	GET(TCGETS, TERMIOS),
	SET(TCSETS, TERMIOS),
	DH_REQ(TCSETSW, INHERIT, .flags = DH_SYS_BLOCKS, MEM(IN(2, TERMIOS))),
	DH_REQ(TCSETSF, INHERIT, .flags = DH_SYS_BLOCKS, MEM(IN(2, TERMIOS))),
	GET(TCGETA, TERMIO),
	SET(TCSETA, TERMIO),
	SET(TCSETAW, TERMIO),
	SET(TCSETAF, TERMIO),
	WAITS(TCSBRK),
	WAITS(TCSBRKP),
	PLAIN(TCXONC),
	PLAIN(TCFLSH),
	PLAIN(TIOCEXCL),
	PLAIN(TIOCNXCL),
	PLAIN(TIOCSCTTY),
	PLAIN(TIOCNOTTY),
	GET(TIOCGPGRP, 4),
	SET(TIOCSPGRP, 4),
	GET(TIOCGSID, 4),
	GET(TIOCOUTQ, 4),
	SET(TIOCSTI, 1),
	GET(TIOCGWINSZ, WINSIZE),
	SET(TIOCSWINSZ, WINSIZE),
	GET(TIOCMGET, 4),
	SET(TIOCMBIS, 4),
	SET(TIOCMBIC, 4),
	SET(TIOCMSET, 4),
	GET(TIOCGSOFTCAR, 4),
	SET(TIOCSSOFTCAR, 4),
	GET(FIONREAD, 4),
	UNKNOWN(TIOCLINUX),
	PLAIN(TIOCCONS),
	GET(TIOCGSERIAL, sizeof(struct serial_struct)),
	SET(TIOCSSERIAL, sizeof(struct serial_struct)),
	SET(TIOCPKT, 4),
	SET(FIONBIO, 4),
	SET(FIOASYNC, 4),
	PLAIN(FIOCLEX),
	PLAIN(FIONCLEX),
	GET(FIOQSIZE, 8),
	SET(TIOCSETD, 4),
	GET(TIOCGETD, 4),
	PLAIN(TIOCSBRK),
	PLAIN(TIOCCBRK),
	GET(TIOCGRS485, sizeof(struct serial_rs485)),
	BOTH(TIOCSRS485, sizeof(struct serial_rs485)),
	PLAIN(TIOCVHANGUP),
	DH_REQ(TIOCSIG, INHERIT, .by_value = true),
	NEW_FD(TIOCGPTPEER),
	GET(TIOCGLCKTRMIOS, TERMIOS),
	SET(TIOCSLCKTRMIOS, TERMIOS),
	GET(TIOCSERGETLSR, 4),
	WAITS(TIOCMIWAIT),
	GET(TIOCGICOUNT, sizeof(struct serial_icounter_struct)),

	/* The console. */
	GET(KDGETLED, 1),
	PLAIN(KDSETLED),
	GET(KDGKBTYPE, 1),
	GET(KDGETMODE, 4),
	PLAIN(KDSETMODE),
	PLAIN(KDMKTONE),
	PLAIN(KIOCSOUND),
	GET(KDGKBMODE, 4),
	PLAIN(KDSKBMODE),
	GET(KDGKBMETA, 4),
	PLAIN(KDSKBMETA),
	GET(KDGKBLED, 1),
	PLAIN(KDSKBLED),
	BOTH(KDGKBENT, sizeof(struct kbentry)),
	SET(KDSKBENT, sizeof(struct kbentry)),
	GET(GIO_CMAP, 48),
	SET(PIO_CMAP, 48),
	GET(GIO_SCRNMAP, 256),
	GET(GIO_UNISCRNMAP, 512),
	GET(VT_OPENQRY, 4),
	GET(VT_GETMODE, sizeof(struct vt_mode)),
	SET(VT_SETMODE, sizeof(struct vt_mode)),
	GET(VT_GETSTATE, sizeof(struct vt_stat)),
	PLAIN(VT_RELDISP),
	PLAIN(VT_ACTIVATE),
	WAITS(VT_WAITACTIVE),
	PLAIN(VT_DISALLOCATE),

	/* Sockets and interfaces. */
	SET(FIOSETOWN, 4),
	SET(SIOCSPGRP, 4),
	GET(FIOGETOWN, 4),
	GET(SIOCGPGRP, 4),
	GET(SIOCATMARK, 4),
	GET(SIOCGSTAMP_OLD, 16),
	GET(SIOCGSTAMPNS_OLD, 16),
	GET(SIOCOUTQNSD, 4),
	NEW_FD(SIOCGSKNS),
	STRUCT(SIOCGIFCONF, ifconf),
	BOTH(SIOCGIFNAME, IFREQ),
	BOTH(SIOCGIFFLAGS, IFREQ),
	SET(SIOCSIFFLAGS, IFREQ),
	BOTH(SIOCGIFADDR, IFREQ),
	SET(SIOCSIFADDR, IFREQ),
	BOTH(SIOCGIFDSTADDR, IFREQ),
	SET(SIOCSIFDSTADDR, IFREQ),
	BOTH(SIOCGIFBRDADDR, IFREQ),
	SET(SIOCSIFBRDADDR, IFREQ),
	BOTH(SIOCGIFNETMASK, IFREQ),
	SET(SIOCSIFNETMASK, IFREQ),
	BOTH(SIOCGIFMETRIC, IFREQ),
	SET(SIOCSIFMETRIC, IFREQ),
	BOTH(SIOCGIFMTU, IFREQ),
	SET(SIOCSIFMTU, IFREQ),
	SET(SIOCSIFNAME, IFREQ),
	BOTH(SIOCGIFHWADDR, IFREQ),
	SET(SIOCSIFHWADDR, IFREQ),
	SET(SIOCADDMULTI, IFREQ),
	SET(SIOCDELMULTI, IFREQ),
	BOTH(SIOCGIFINDEX, IFREQ),
	BOTH(SIOCGIFPFLAGS, IFREQ),
	BOTH(SIOCGIFTXQLEN, IFREQ),
	SET(SIOCSIFTXQLEN, IFREQ),
	BOTH(SIOCGIFMAP, IFREQ),
	BOTH(SIOCGMIIPHY, IFREQ),
	BOTH(SIOCGMIIREG, IFREQ),
	SET(SIOCSMIIREG, IFREQ),
	STRUCT(SIOCETHTOOL, ethtool),
	STRUCT(SIOCGHWTSTAMP, ifreq_hwtstamp),
	STRUCT(SIOCSHWTSTAMP, ifreq_hwtstamp),
	SET(SIOCADDRT, 120),
	SET(SIOCDELRT, 120),
	BOTH(SIOCGARP, ARPREQ),
	SET(SIOCSARP, ARPREQ),
	SET(SIOCDARP, ARPREQ),
	DH_REQ(SIOCBRADDBR, INHERIT, MEM(IN_STR(2))),
	DH_REQ(SIOCBRDELBR, INHERIT, MEM(IN_STR(2))),
	SET(SIOCBRADDIF, IFREQ),
	SET(SIOCBRDELIF, IFREQ),
	/* Their numbers say int, but they take the whole structure. */
	BOTH(TUNSETIFF, IFREQ),
	GET(TUNGETIFF, IFREQ),
	DH_REQ(TUNSETPERSIST, INHERIT, .by_value = true),
	DH_REQ(TUNSETOWNER, INHERIT, .by_value = true),
	DH_REQ(TUNSETGROUP, INHERIT, .by_value = true),
	DH_REQ(TUNSETOFFLOAD, INHERIT, .by_value = true),
	DH_REQ(TUNSETLINK, INHERIT, .by_value = true),
	UNKNOWN(TUNGETFILTER),
	NEW_FD(TUNGETDEVNETNS),

	/* Files and file systems. */
	BOTH(FIBMAP, 4),
	GET(FIGETBSZ, 4),
	DH_REQ(FICLONE, INHERIT, .by_value = true),
	SET(FICLONERANGE, sizeof(struct file_clone_range)),
	STRUCT(FIDEDUPERANGE, dedupe),
	/* The header comes back even when it failed. */
	DH_REQ(FS_IOC_FIEMAP, INHERIT, MEM(SPECIAL(fiemap, INOUT, ALWAYS, 2, NOARG))),
	STRUCT(FS_IOC_GETFSMAP, fsmap),
	STRUCT(FS_IOC_MEASURE_VERITY, verity),
	UNKNOWN(FS_IOC_READ_VERITY_METADATA),
	STRUCT(FS_IOC_GET_ENCRYPTION_POLICY_EX, policy_ex),
	/* The number says that it reads; the kernel writes. */
	GET(FS_IOC_GET_ENCRYPTION_PWSALT, 16),
	GET(FS_IOC_GET_ENCRYPTION_POLICY, sizeof(struct fscrypt_policy_v1)),

	/* Disks. */
	SET(BLKROSET, 4),
	GET(BLKROGET, 4),
	PLAIN(BLKRRPART),
	GET(BLKGETSIZE, 8),
	PLAIN(BLKFLSBUF),
	PLAIN(BLKRASET),
	GET(BLKRAGET, 8),
	PLAIN(BLKFRASET),
	GET(BLKFRAGET, 8),
	GET(BLKSECTGET, 2),
	GET(BLKSSZGET, 4),
	SET(BLKDISCARD, 16),
	GET(BLKIOMIN, 4),
	GET(BLKIOOPT, 4),
	GET(BLKALIGNOFF, 4),
	GET(BLKPBSZGET, 4),
	GET(BLKDISCARDZEROES, 4),
	SET(BLKSECDISCARD, 16),
	GET(BLKROTATIONAL, 2),
	SET(BLKZEROOUT, 16),
	GET(HDIO_GETGEO, sizeof(struct hd_geometry)),
	GET(HDIO_GET_IDENTITY, 512),
	PLAIN(LOOP_SET_FD),
	PLAIN(LOOP_CLR_FD),
	SET(LOOP_SET_STATUS64, sizeof(struct loop_info64)),
	GET(LOOP_GET_STATUS64, sizeof(struct loop_info64)),
	SET(LOOP_SET_STATUS, sizeof(struct loop_info)),
	GET(LOOP_GET_STATUS, sizeof(struct loop_info)),
	PLAIN(LOOP_CHANGE_FD),
	PLAIN(LOOP_SET_CAPACITY),
	PLAIN(LOOP_SET_DIRECT_IO),
	PLAIN(LOOP_SET_BLOCK_SIZE),
	SET(LOOP_CONFIGURE, sizeof(struct loop_config)),
	PLAIN(LOOP_CTL_ADD),
	PLAIN(LOOP_CTL_REMOVE),
	PLAIN(LOOP_CTL_GET_FREE),

	/* Devices. */
	PLAIN(EVIOCGRAB),
	PLAIN(EVIOCREVOKE),
	PLAIN(EVIOCRMFF),
	BOTH(EVIOCSFF, sizeof(struct ff_effect)),
	UNKNOWN(EVIOCGMASK),
	UNKNOWN(EVIOCSMASK),
	PLAIN(RNDZAPENTCNT),
	PLAIN(RNDCLEARPOOL),
	PLAIN(RNDRESEEDCRNG),
	UNKNOWN(RNDGETPOOL),

	/* Name spaces and processes. */
	DH_REQ_NAMED(NSFS(1), "NS_GET_USERNS", INHERIT, .by_value = true, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(NSFS(2), "NS_GET_PARENT", INHERIT, .by_value = true, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(NSFS(3), "NS_GET_NSTYPE", INHERIT, .by_value = true),
	DH_REQ_NAMED(NSFS(4), "NS_GET_OWNER_UID", INHERIT, MEM(OUT(2, 4))),
	DH_REQ_NAMED(PIDFS(1), "PIDFD_GET_CGROUP_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(2), "PIDFD_GET_IPC_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(3), "PIDFD_GET_MNT_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(4), "PIDFD_GET_NET_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(5), "PIDFD_GET_PID_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(
		PIDFS(6), "PIDFD_GET_PID_FOR_CHILDREN_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(7), "PIDFD_GET_TIME_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(
		PIDFS(8), "PIDFD_GET_TIME_FOR_CHILDREN_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(9), "PIDFD_GET_USER_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(PIDFS(10), "PIDFD_GET_UTS_NAMESPACE", INHERIT, .flags = DH_SYS_FD_NEW),
};

/* Families whose numbers tell the truth: the structure is flat and its size is in the number. */
static const struct {
	uint8_t type, first, last;
} flat[] = {
	{'T', 0, 255},    /* terminals, timerfd, tun */
	{'f', 0, 255},    /* flags, encryption, verity of files */
	{'X', 0, 255},    /* freezing, labels, attributes of file systems */
	{'v', 1, 2},      /* versions of inodes */
	{0x12, 112, 255}, /* block devices */
	{0x15, 0, 1},     /* identity of a file system */
	{'E', 0, 255},    /* input devices */
	{'j', 1, 0x3f},   /* joysticks */
	{'R', 0, 7},      /* the random pool */
	{'p', 1, 0x1f},   /* real-time clocks */
	{'W', 0, 0x0f},   /* watchdogs */
	{0x89, 6, 7},     /* time stamps of sockets */
	{0xb7, 5, 15},    /* name spaces */
	{0xff, 11, 11},   /* processes */
	{0x8a, 1, 2},     /* epoll */
};

static bool is_flat(uint32_t request)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(flat); i++) {
		if (_IOC_TYPE(request) == flat[i].type && _IOC_NR(request) >= flat[i].first &&
			_IOC_NR(request) <= flat[i].last)
			return true;
	}
	return false;
}

static void decode(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint32_t request = (uint32_t)e->c->arg[1];
	uint32_t dir = _IOC_DIR(request);

	if (dir == _IOC_NONE || !is_flat(request))
		e->err = -ENOTSUP;
	else if (dir & (e->out ? _IOC_READ : _IOC_WRITE))
		dh_emit_bounded(e, e->c->arg[2], _IOC_SIZE(request));
}

const struct dh_sys_requests dh_sys_ioctl = {
	.arg = 1,
	.mask = UINT32_MAX,
	.unknown = DH_SYS_UNKNOWN_ASK,
	.decode = decode,
	REQUEST_LIST(rows),
};
