/* The names that arguments are printed with. */
#include "sysmodel/names.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/falloc.h>
#include <linux/membarrier.h>
#include <linux/mempolicy.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define F(v)                                                                                       \
	{                                                                                          \
		.value = (v), .mask = (v), .name = #v                                              \
	}
#define E(v)                                                                                       \
	{                                                                                          \
		.value = (uint32_t)(v), .mask = UINT64_MAX, .name = #v                             \
	}
#define BITS(v, m)                                                                                 \
	{                                                                                          \
		.value = (v), .mask = (m), .name = #v                                              \
	}
#define NAMED(v, s)                                                                                \
	{                                                                                          \
		.value = (v), .mask = (v), .name = (s)                                             \
	}
#define NAMED_ENUM(v, s)                                                                           \
	{                                                                                          \
		.value = (v), .mask = UINT64_MAX, .name = (s)                                      \
	}
#define NAMED_BITS(v, m, s)                                                                        \
	{                                                                                          \
		.value = (v), .mask = (m), .name = (s)                                             \
	}

static const struct dh_sys_name open_names[] = {BITS(O_RDONLY, O_ACCMODE),
	BITS(O_WRONLY, O_ACCMODE), BITS(O_RDWR, O_ACCMODE), F(O_CREAT), F(O_EXCL), F(O_NOCTTY),
	F(O_TRUNC), F(O_APPEND), F(O_NONBLOCK), F(O_SYNC), F(O_DSYNC), F(O_ASYNC), F(O_DIRECT),
	F(O_TMPFILE), F(O_DIRECTORY), F(O_NOFOLLOW), F(O_NOATIME), F(O_CLOEXEC), F(O_PATH),
	NAMED(0100000, "O_LARGEFILE")};

static const struct dh_sys_name prot_names[] = {E(PROT_NONE), F(PROT_READ), F(PROT_WRITE),
	F(PROT_EXEC), F(PROT_GROWSDOWN), F(PROT_GROWSUP)};

static const struct dh_sys_name map_names[] = {BITS(MAP_SHARED, MAP_TYPE),
	BITS(MAP_PRIVATE, MAP_TYPE), BITS(MAP_SHARED_VALIDATE, MAP_TYPE), F(MAP_FIXED),
	F(MAP_ANONYMOUS), F(MAP_GROWSDOWN), F(MAP_DENYWRITE), F(MAP_EXECUTABLE), F(MAP_LOCKED),
	F(MAP_NORESERVE), F(MAP_POPULATE), F(MAP_NONBLOCK), F(MAP_STACK), F(MAP_HUGETLB),
	F(MAP_SYNC), F(MAP_FIXED_NOREPLACE), NAMED(0x40, "MAP_32BIT")};

static const struct dh_sys_name clone_names[] = {F(CLONE_VM), F(CLONE_FS), F(CLONE_FILES),
	F(CLONE_SIGHAND), F(CLONE_PIDFD), F(CLONE_PTRACE), F(CLONE_VFORK), F(CLONE_PARENT),
	F(CLONE_THREAD), F(CLONE_NEWNS), F(CLONE_SYSVSEM), F(CLONE_SETTLS), F(CLONE_PARENT_SETTID),
	F(CLONE_CHILD_CLEARTID), F(CLONE_DETACHED), F(CLONE_UNTRACED), F(CLONE_CHILD_SETTID),
	F(CLONE_NEWCGROUP), F(CLONE_NEWUTS), F(CLONE_NEWIPC), F(CLONE_NEWUSER), F(CLONE_NEWPID),
	F(CLONE_NEWNET), F(CLONE_IO), NAMED(0x100000000UL, "CLONE_CLEAR_SIGHAND"),
	NAMED(0x200000000UL, "CLONE_INTO_CGROUP")};

static const struct dh_sys_name unshare_names[] = {NAMED(0x80, "CLONE_NEWTIME"), F(CLONE_VM),
	F(CLONE_FS), F(CLONE_FILES), F(CLONE_SIGHAND), F(CLONE_THREAD), F(CLONE_NEWNS),
	F(CLONE_SYSVSEM), F(CLONE_NEWCGROUP), F(CLONE_NEWUTS), F(CLONE_NEWIPC), F(CLONE_NEWUSER),
	F(CLONE_NEWPID), F(CLONE_NEWNET)};

static const struct dh_sys_name access_names[] = {E(F_OK), F(R_OK), F(W_OK), F(X_OK)};

static const struct dh_sys_name at_names[] = {F(AT_SYMLINK_NOFOLLOW), F(AT_REMOVEDIR),
	F(AT_SYMLINK_FOLLOW), F(AT_NO_AUTOMOUNT), F(AT_EMPTY_PATH), F(AT_STATX_FORCE_SYNC),
	F(AT_STATX_DONT_SYNC), F(AT_RECURSIVE)};

static const struct dh_sys_name msgf_names[] = {F(MSG_OOB), F(MSG_PEEK), F(MSG_DONTROUTE),
	F(MSG_CTRUNC), F(MSG_PROXY), F(MSG_TRUNC), F(MSG_DONTWAIT), F(MSG_EOR), F(MSG_WAITALL),
	F(MSG_FIN), F(MSG_SYN), F(MSG_CONFIRM), F(MSG_RST), F(MSG_ERRQUEUE), F(MSG_NOSIGNAL),
	F(MSG_MORE), F(MSG_WAITFORONE), F(MSG_BATCH), F(MSG_ZEROCOPY), F(MSG_FASTOPEN),
	F(MSG_CMSG_CLOEXEC)};

static const struct dh_sys_name af_names[] = {E(AF_UNSPEC), E(AF_UNIX), E(AF_INET), E(AF_AX25),
	E(AF_IPX), E(AF_APPLETALK), E(AF_X25), E(AF_INET6), E(AF_KEY), E(AF_NETLINK), E(AF_PACKET),
	E(AF_PPPOX), E(AF_CAN), E(AF_TIPC), E(AF_BLUETOOTH), E(AF_RXRPC), E(AF_ALG), E(AF_NFC),
	E(AF_VSOCK), E(AF_KCM), E(AF_QIPCRTR), E(AF_SMC), E(AF_XDP)};

static const struct dh_sys_name socktype_names[] = {BITS(SOCK_STREAM, 0xf), BITS(SOCK_DGRAM, 0xf),
	BITS(SOCK_RAW, 0xf), BITS(SOCK_RDM, 0xf), BITS(SOCK_SEQPACKET, 0xf), BITS(SOCK_DCCP, 0xf),
	BITS(SOCK_PACKET, 0xf), F(SOCK_CLOEXEC), F(SOCK_NONBLOCK)};

static const struct dh_sys_name level_names[] = {E(SOL_SOCKET), E(SOL_IP), E(IPPROTO_TCP),
	E(IPPROTO_UDP), E(SOL_IPV6), E(SOL_RAW), E(SOL_NETLINK), E(SOL_PACKET), E(SOL_TLS),
	E(SOL_ALG), E(SOL_XDP)};

static const struct dh_sys_name sockopt_names[] = {E(SO_DEBUG), E(SO_REUSEADDR), E(SO_TYPE),
	E(SO_ERROR), E(SO_DONTROUTE), E(SO_BROADCAST), E(SO_SNDBUF), E(SO_RCVBUF), E(SO_KEEPALIVE),
	E(SO_OOBINLINE), E(SO_NO_CHECK), E(SO_PRIORITY), E(SO_LINGER), E(SO_BSDCOMPAT),
	E(SO_REUSEPORT), E(SO_PASSCRED), E(SO_PEERCRED), E(SO_RCVLOWAT), E(SO_SNDLOWAT),
	E(SO_RCVTIMEO), E(SO_SNDTIMEO), E(SO_BINDTODEVICE), E(SO_ATTACH_FILTER),
	E(SO_DETACH_FILTER), E(SO_PEERNAME), E(SO_TIMESTAMP), E(SO_ACCEPTCONN), E(SO_PEERSEC),
	E(SO_SNDBUFFORCE), E(SO_RCVBUFFORCE), E(SO_PASSSEC), E(SO_TIMESTAMPNS), E(SO_MARK),
	E(SO_TIMESTAMPING), E(SO_PROTOCOL), E(SO_DOMAIN), E(SO_RXQ_OVFL), E(SO_PEEK_OFF),
	E(SO_NOFCS), E(SO_LOCK_FILTER), E(SO_SELECT_ERR_QUEUE), E(SO_BUSY_POLL), E(SO_INCOMING_CPU),
	E(SO_ATTACH_BPF), E(SO_COOKIE), E(SO_PEERGROUPS), E(SO_ZEROCOPY), E(SO_TXTIME),
	E(SO_BINDTOIFINDEX)};

static const struct dh_sys_name whence_names[] = {
	E(SEEK_SET), E(SEEK_CUR), E(SEEK_END), E(SEEK_DATA), E(SEEK_HOLE)};

static const struct dh_sys_name rlimit_names[] = {E(RLIMIT_CPU), E(RLIMIT_FSIZE), E(RLIMIT_DATA),
	E(RLIMIT_STACK), E(RLIMIT_CORE), E(RLIMIT_RSS), E(RLIMIT_NPROC), E(RLIMIT_NOFILE),
	E(RLIMIT_MEMLOCK), E(RLIMIT_AS), E(RLIMIT_LOCKS), E(RLIMIT_SIGPENDING), E(RLIMIT_MSGQUEUE),
	E(RLIMIT_NICE), E(RLIMIT_RTPRIO), E(RLIMIT_RTTIME)};

static const struct dh_sys_name waitf_names[] = {F(WNOHANG), F(WSTOPPED), F(WEXITED), F(WCONTINUED),
	F(WNOWAIT), F(__WNOTHREAD), F(__WALL), F(__WCLONE)};

static const struct dh_sys_name idtype_names[] = {E(P_ALL), E(P_PID), E(P_PGID), E(P_PIDFD)};

static const struct dh_sys_name epoll_op_names[] = {
	E(EPOLL_CTL_ADD), E(EPOLL_CTL_DEL), E(EPOLL_CTL_MOD)};

static const struct dh_sys_name shut_names[] = {E(SHUT_RD), E(SHUT_WR), E(SHUT_RDWR)};

static const struct dh_sys_name flock_names[] = {F(LOCK_SH), F(LOCK_EX), F(LOCK_NB), F(LOCK_UN)};

static const struct dh_sys_name mremap_names[] = {
	F(MREMAP_MAYMOVE), F(MREMAP_FIXED), F(MREMAP_DONTUNMAP)};

static const struct dh_sys_name msync_names[] = {F(MS_ASYNC), F(MS_INVALIDATE), F(MS_SYNC)};

static const struct dh_sys_name itimer_which_names[] = {
	E(ITIMER_REAL), E(ITIMER_VIRTUAL), E(ITIMER_PROF)};

static const struct dh_sys_name sighow_names[] = {E(SIG_BLOCK), E(SIG_UNBLOCK), E(SIG_SETMASK)};

static const struct dh_sys_name eventfd_names[] = {
	F(EFD_SEMAPHORE), F(EFD_CLOEXEC), F(EFD_NONBLOCK)};

static const struct dh_sys_name cloexec_names[] = {F(O_CLOEXEC), F(O_NONBLOCK)};

static const struct dh_sys_name signalfd_names[] = {F(SFD_CLOEXEC), F(SFD_NONBLOCK)};

static const struct dh_sys_name timerfd_names[] = {F(TFD_CLOEXEC), F(TFD_NONBLOCK)};

static const struct dh_sys_name timerf_names[] = {
	F(TIMER_ABSTIME), NAMED(2, "TFD_TIMER_CANCEL_ON_SET")};

static const struct dh_sys_name random_names[] = {
	F(GRND_NONBLOCK), F(GRND_RANDOM), F(GRND_INSECURE)};

static const struct dh_sys_name mlockall_names[] = {F(MCL_CURRENT), F(MCL_FUTURE), F(MCL_ONFAULT)};

static const struct dh_sys_name sched_names[] = {BITS(SCHED_OTHER, 0xff), BITS(SCHED_FIFO, 0xff),
	BITS(SCHED_RR, 0xff), BITS(SCHED_BATCH, 0xff), BITS(SCHED_IDLE, 0xff),
	BITS(SCHED_DEADLINE, 0xff), NAMED_BITS(7, 0xff, "SCHED_EXT"), F(SCHED_RESET_ON_FORK)};

static const struct dh_sys_name rename_names[] = {
	F(RENAME_NOREPLACE), F(RENAME_EXCHANGE), F(RENAME_WHITEOUT)};

static const struct dh_sys_name umount_names[] = {
	F(MNT_FORCE), F(MNT_DETACH), F(MNT_EXPIRE), F(UMOUNT_NOFOLLOW)};

static const struct dh_sys_name mount_names[] = {F(MS_RDONLY), F(MS_NOSUID), F(MS_NODEV),
	F(MS_NOEXEC), F(MS_SYNCHRONOUS), F(MS_REMOUNT), F(MS_MANDLOCK), F(MS_DIRSYNC),
	F(MS_NOATIME), F(MS_NODIRATIME), F(MS_BIND), F(MS_MOVE), F(MS_REC), F(MS_SILENT),
	F(MS_POSIXACL), F(MS_UNBINDABLE), F(MS_PRIVATE), F(MS_SLAVE), F(MS_SHARED), F(MS_RELATIME),
	F(MS_STRICTATIME), F(MS_LAZYTIME)};

static const struct dh_sys_name xattr_names[] = {F(XATTR_CREATE), F(XATTR_REPLACE)};

static const struct dh_sys_name splice_names[] = {
	F(SPLICE_F_MOVE), F(SPLICE_F_NONBLOCK), F(SPLICE_F_MORE), F(SPLICE_F_GIFT)};

static const struct dh_sys_name falloc_names[] = {F(FALLOC_FL_KEEP_SIZE), F(FALLOC_FL_PUNCH_HOLE),
	F(FALLOC_FL_COLLAPSE_RANGE), F(FALLOC_FL_ZERO_RANGE), F(FALLOC_FL_INSERT_RANGE),
	F(FALLOC_FL_UNSHARE_RANGE)};

static const struct dh_sys_name fadvise_names[] = {E(POSIX_FADV_NORMAL), E(POSIX_FADV_RANDOM),
	E(POSIX_FADV_SEQUENTIAL), E(POSIX_FADV_WILLNEED), E(POSIX_FADV_DONTNEED),
	E(POSIX_FADV_NOREUSE)};

static const struct dh_sys_name inotify_names[] = {F(IN_ACCESS), F(IN_MODIFY), F(IN_ATTRIB),
	F(IN_CLOSE_WRITE), F(IN_CLOSE_NOWRITE), F(IN_OPEN), F(IN_MOVED_FROM), F(IN_MOVED_TO),
	F(IN_CREATE), F(IN_DELETE), F(IN_DELETE_SELF), F(IN_MOVE_SELF), F(IN_ONLYDIR),
	F(IN_DONT_FOLLOW), F(IN_EXCL_UNLINK), F(IN_MASK_CREATE), F(IN_MASK_ADD), F(IN_ISDIR),
	F(IN_ONESHOT)};

static const struct dh_sys_name statx_names[] = {F(STATX_BASIC_STATS), F(STATX_TYPE), F(STATX_MODE),
	F(STATX_NLINK), F(STATX_UID), F(STATX_GID), F(STATX_ATIME), F(STATX_MTIME), F(STATX_CTIME),
	F(STATX_INO), F(STATX_SIZE), F(STATX_BLOCKS), F(STATX_BTIME), NAMED(0x1000, "STATX_MNT_ID"),
	NAMED(0x2000, "STATX_DIOALIGN"), NAMED(0x4000, "STATX_MNT_ID_UNIQUE"),
	NAMED(0x8000, "STATX_SUBVOL"), NAMED(0x10000, "STATX_WRITE_ATOMIC")};

static const struct dh_sys_name memfd_names[] = {F(MFD_CLOEXEC), F(MFD_ALLOW_SEALING),
	F(MFD_HUGETLB), NAMED(8, "MFD_NOEXEC_SEAL"), NAMED(16, "MFD_EXEC")};

static const struct dh_sys_name rusage_names[] = {
	E(RUSAGE_SELF), NAMED_ENUM(0xffffffff, "RUSAGE_CHILDREN"), E(RUSAGE_THREAD)};

static const struct dh_sys_name prio_names[] = {E(PRIO_PROCESS), E(PRIO_PGRP), E(PRIO_USER)};

static const struct dh_sys_name ipc_names[] = {F(IPC_CREAT), F(IPC_EXCL), F(IPC_NOWAIT)};

static const struct dh_sys_name clock_names[] = {E(CLOCK_REALTIME), E(CLOCK_MONOTONIC),
	E(CLOCK_PROCESS_CPUTIME_ID), E(CLOCK_THREAD_CPUTIME_ID), E(CLOCK_MONOTONIC_RAW),
	E(CLOCK_REALTIME_COARSE), E(CLOCK_MONOTONIC_COARSE), E(CLOCK_BOOTTIME),
	E(CLOCK_REALTIME_ALARM), E(CLOCK_BOOTTIME_ALARM), E(CLOCK_TAI)};

static const struct dh_sys_name rwf_names[] = {
	F(RWF_HIPRI), F(RWF_DSYNC), F(RWF_SYNC), F(RWF_NOWAIT), F(RWF_APPEND)};

static const struct dh_sys_name pkey_names[] = {F(PKEY_DISABLE_ACCESS), F(PKEY_DISABLE_WRITE)};

static const struct dh_sys_name close_range_names[] = {
	NAMED(2, "CLOSE_RANGE_UNSHARE"), NAMED(4, "CLOSE_RANGE_CLOEXEC")};

static const struct dh_sys_name membarrier_names[] = {E(MEMBARRIER_CMD_QUERY),
	E(MEMBARRIER_CMD_GLOBAL), E(MEMBARRIER_CMD_GLOBAL_EXPEDITED),
	E(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED), E(MEMBARRIER_CMD_PRIVATE_EXPEDITED),
	E(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED), E(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE),
	E(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE),
	E(MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ),
	E(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ)};

static const struct dh_sys_name personality_names[] = {NAMED_ENUM(0xffffffff, "0xffffffff"),
	BITS(PER_LINUX, 0xff), F(ADDR_NO_RANDOMIZE), F(MMAP_PAGE_ZERO), F(ADDR_COMPAT_LAYOUT),
	F(READ_IMPLIES_EXEC), F(ADDR_LIMIT_32BIT), F(SHORT_INODE), F(WHOLE_SECONDS),
	F(STICKY_TIMEOUTS), F(ADDR_LIMIT_3GB), F(UNAME26)};

static const struct dh_sys_name mpol_names[] = {BITS(MPOL_DEFAULT, 0xfff),
	BITS(MPOL_PREFERRED, 0xfff), BITS(MPOL_BIND, 0xfff), BITS(MPOL_INTERLEAVE, 0xfff),
	BITS(MPOL_LOCAL, 0xfff), F(MPOL_F_STATIC_NODES), F(MPOL_F_RELATIVE_NODES)};

static const struct dh_sys_name futex2_names[] = {NAMED_BITS(2, 3, "FUTEX2_SIZE_U32"),
	NAMED(0x80, "FUTEX2_PRIVATE"), NAMED(4, "FUTEX2_NUMA")};

/* Indexed by type; gaps are types that are printed otherwise. */
static const struct dh_sys_names by_type[A_N_TYPES] = {[A_OPEN] = DH_NAMES(open_names),
	[A_PROT] = DH_NAMES(prot_names),
	[A_MAP] = DH_NAMES(map_names),
	[A_CLONE] = DH_NAMES(clone_names),
	[A_UNSHARE] = DH_NAMES(unshare_names),
	[A_ACCESS] = DH_NAMES(access_names),
	[A_AT] = DH_NAMES(at_names),
	[A_MSGF] = DH_NAMES(msgf_names),
	[A_AF] = DH_NAMES(af_names),
	[A_SOCKTYPE] = DH_NAMES(socktype_names),
	[A_LEVEL] = DH_NAMES(level_names),
	[A_SOCKOPT] = DH_NAMES(sockopt_names),
	[A_WHENCE] = DH_NAMES(whence_names),
	[A_RLIMIT] = DH_NAMES(rlimit_names),
	[A_WAITF] = DH_NAMES(waitf_names),
	[A_IDTYPE] = DH_NAMES(idtype_names),
	[A_EPOLL_OP] = DH_NAMES(epoll_op_names),
	[A_SHUT] = DH_NAMES(shut_names),
	[A_FLOCK] = DH_NAMES(flock_names),
	[A_MREMAP] = DH_NAMES(mremap_names),
	[A_MSYNC] = DH_NAMES(msync_names),
	[A_ITIMER_WHICH] = DH_NAMES(itimer_which_names),
	[A_SIGHOW] = DH_NAMES(sighow_names),
	[A_EVENTFD] = DH_NAMES(eventfd_names),
	[A_CLOEXEC] = DH_NAMES(cloexec_names),
	[A_SIGNALFD] = DH_NAMES(signalfd_names),
	[A_TIMERFD] = DH_NAMES(timerfd_names),
	[A_TIMERF] = DH_NAMES(timerf_names),
	[A_RANDOM] = DH_NAMES(random_names),
	[A_MLOCKALL] = DH_NAMES(mlockall_names),
	[A_SCHED] = DH_NAMES(sched_names),
	[A_RENAME] = DH_NAMES(rename_names),
	[A_UMOUNT] = DH_NAMES(umount_names),
	[A_MOUNT] = DH_NAMES(mount_names),
	[A_XATTR] = DH_NAMES(xattr_names),
	[A_SPLICE] = DH_NAMES(splice_names),
	[A_FALLOC] = DH_NAMES(falloc_names),
	[A_FADVISE] = DH_NAMES(fadvise_names),
	[A_INOTIFY] = DH_NAMES(inotify_names),
	[A_STATX] = DH_NAMES(statx_names),
	[A_MEMFD] = DH_NAMES(memfd_names),
	[A_RUSAGE] = DH_NAMES(rusage_names),
	[A_PRIO] = DH_NAMES(prio_names),
	[A_IPC] = DH_NAMES(ipc_names),
	[A_CLOCK] = DH_NAMES(clock_names),
	[A_RWF] = DH_NAMES(rwf_names),
	[A_PKEY] = DH_NAMES(pkey_names),
	[A_CLOSE_RANGE] = DH_NAMES(close_range_names),
	[A_MEMBARRIER] = DH_NAMES(membarrier_names),
	[A_PERSONALITY] = DH_NAMES(personality_names),
	[A_MPOL] = DH_NAMES(mpol_names),
	[A_FUTEX2] = DH_NAMES(futex2_names)};

const struct dh_sys_names *dh_sys_names_of(enum dh_sys_arg type)
{
	static const struct dh_sys_names none;

	return type < A_N_TYPES ? &by_type[type] : &none;
}

static const struct dh_sys_name poll_names[] = {F(POLLIN), F(POLLPRI), F(POLLOUT), F(POLLERR),
	F(POLLHUP), F(POLLNVAL), F(POLLRDNORM), F(POLLRDBAND), F(POLLWRNORM), F(POLLWRBAND),
	F(POLLMSG), F(POLLREMOVE), F(POLLRDHUP)};

const struct dh_sys_names dh_names_poll = DH_NAMES(poll_names);

static const struct dh_sys_name epoll_names[] = {F(EPOLLIN), F(EPOLLPRI), F(EPOLLOUT), F(EPOLLERR),
	F(EPOLLHUP), F(EPOLLRDNORM), F(EPOLLRDBAND), F(EPOLLWRNORM), F(EPOLLWRBAND), F(EPOLLMSG),
	F(EPOLLRDHUP), F(EPOLLEXCLUSIVE), F(EPOLLWAKEUP), F(EPOLLONESHOT),
	NAMED(1U << 31, "EPOLLET")};

const struct dh_sys_names dh_names_epoll = DH_NAMES(epoll_names);

static const struct dh_sys_name sigaction_names[] = {F(SA_NOCLDSTOP), F(SA_NOCLDWAIT),
	F(SA_SIGINFO), F(SA_ONSTACK), F(SA_RESTART), F(SA_NODEFER), NAMED(1U << 31, "SA_RESETHAND"),
	NAMED(0x04000000, "SA_RESTORER")};

const struct dh_sys_names dh_names_sigaction = DH_NAMES(sigaction_names);

static const struct dh_sys_name tcp_options_names[] = {E(TCP_NODELAY), E(TCP_MAXSEG), E(TCP_CORK),
	E(TCP_KEEPIDLE), E(TCP_KEEPINTVL), E(TCP_KEEPCNT), E(TCP_SYNCNT), E(TCP_LINGER2),
	E(TCP_DEFER_ACCEPT), E(TCP_WINDOW_CLAMP), E(TCP_INFO), E(TCP_QUICKACK), E(TCP_CONGESTION),
	E(TCP_MD5SIG), E(TCP_USER_TIMEOUT), E(TCP_FASTOPEN), E(TCP_ULP), E(TCP_FASTOPEN_CONNECT)};

const struct dh_sys_names dh_names_tcp_options = DH_NAMES(tcp_options_names);

static const struct dh_sys_name fd_flags_names[] = {F(FD_CLOEXEC)};

const struct dh_sys_names dh_names_fd_flags = DH_NAMES(fd_flags_names);

static const struct dh_sys_name seals_names[] = {
	F(F_SEAL_SEAL), F(F_SEAL_SHRINK), F(F_SEAL_GROW), F(F_SEAL_WRITE), F(F_SEAL_FUTURE_WRITE)};

const struct dh_sys_names dh_names_seals = DH_NAMES(seals_names);

static const struct dh_sys_name ioctl_dir_names[] = {E(_IOC_NONE), F(_IOC_WRITE), F(_IOC_READ)};

const struct dh_sys_names dh_names_ioctl_dir = DH_NAMES(ioctl_dir_names);
