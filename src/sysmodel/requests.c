/* The requests of calls that multiplex, except ioctl and socket options. */
#include "sysmodel/emit.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dqblk_xfs.h>
#include <linux/futex.h>
#include <linux/keyctl.h>
#include <linux/quota.h>
#include <linux/seccomp.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>

#define PLAIN(v)            DH_REQ_NAMED(v, #v, INHERIT)
#define REFUSED(v, code)    DH_REQ_NAMED(v, #v, REFUSE, .refusal = (code))
#define PRETENDED(v)        DH_REQ_NAMED(v, #v, REFUSE, .pretend = true)
#define WITH(v, ...)        DH_REQ_NAMED(v, #v, INHERIT, MEM(__VA_ARGS__))
#define WITH_FLAGS(v, f)    DH_REQ_NAMED(v, #v, INHERIT, .flags = (f))
#define RERUN(v, ...)       DH_REQ_NAMED(v, #v, RERUN, MEM(__VA_ARGS__))
#define NAMED(n, s, ...)    DH_REQ_NAMED(n, s, INHERIT, MEM(__VA_ARGS__))
#define NAMED_REFUSED(n, s) DH_REQ_NAMED(n, s, REFUSE, .refusal = EINVAL)

static const struct dh_sys_request fcntl_rows[] = {
	WITH_FLAGS(F_DUPFD, DH_SYS_FD_NEW),
	WITH_FLAGS(F_DUPFD_CLOEXEC, DH_SYS_FD_NEW),
	PLAIN(F_GETFD),
	PLAIN(F_SETFD),
	PLAIN(F_GETFL),
	PLAIN(F_SETFL),
	WITH(F_GETLK, INOUT(2, 32)),
	WITH(F_SETLK, IN(2, 32)),
	DH_REQ(F_SETLKW, INHERIT, .flags = DH_SYS_BLOCKS, MEM(IN(2, 32))),
	WITH(F_OFD_GETLK, INOUT(2, 32)),
	WITH(F_OFD_SETLK, IN(2, 32)),
	DH_REQ(F_OFD_SETLKW, INHERIT, .flags = DH_SYS_BLOCKS, MEM(IN(2, 32))),
	PLAIN(F_SETOWN),
	PLAIN(F_GETOWN),
	PLAIN(F_SETSIG),
	PLAIN(F_GETSIG),
	WITH(F_SETOWN_EX, IN(2, 8)),
	WITH(F_GETOWN_EX, OUT(2, 8)),
	NAMED(17, "F_GETOWNER_UIDS", OUT(2, 8)),
	PLAIN(F_SETLEASE),
	PLAIN(F_GETLEASE),
	PLAIN(F_NOTIFY),
	NAMED(1027, "F_DUPFD_QUERY"),
	NAMED(1028, "F_CREATED_QUERY"),
	NAMED(1029, "F_CANCELLK"),
	PLAIN(F_SETPIPE_SZ),
	PLAIN(F_GETPIPE_SZ),
	PLAIN(F_ADD_SEALS),
	PLAIN(F_GET_SEALS),
	WITH(F_GET_RW_HINT, OUT(2, 8)),
	WITH(F_SET_RW_HINT, IN(2, 8)),
	WITH(F_GET_FILE_RW_HINT, OUT(2, 8)),
	WITH(F_SET_FILE_RW_HINT, IN(2, 8)),
	NAMED(1039, "F_GETDELEG", OUT(2, 8)),
	NAMED(1040, "F_SETDELEG", IN(2, 8)),
};

const struct dh_sys_requests dh_sys_fcntl = {
	.arg = 1, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(fcntl_rows)};

/* Only what empties memory matters to the program's state, and is executed again.  MADV_FREE
 * empties it at a time of the kernel's choosing: programs fall back to MADV_DONTNEED.  The rest
 * are hints whose result alone is kept. */
static const struct dh_sys_request madvise_rows[] = {
	RERUN(MADV_DONTNEED),
	DH_REQ_NAMED(24, "MADV_DONTNEED_LOCKED", RERUN),
	DH_REQ(MADV_REMOVE, MEMORY),
	DH_REQ(MADV_DONTFORK, MEMORY),
	DH_REQ(MADV_DOFORK, MEMORY),
	DH_REQ(MADV_WIPEONFORK, MEMORY),
	DH_REQ(MADV_KEEPONFORK, MEMORY),
	DH_REQ_NAMED(102, "MADV_GUARD_INSTALL", MEMORY),
	DH_REQ_NAMED(103, "MADV_GUARD_REMOVE", MEMORY),
	REFUSED(MADV_FREE, EINVAL),
	REFUSED(MADV_HWPOISON, EPERM),
	DH_REQ_NAMED(101, "MADV_SOFT_OFFLINE", REFUSE, .refusal = EPERM),
	PLAIN(MADV_NORMAL),
	PLAIN(MADV_RANDOM),
	PLAIN(MADV_SEQUENTIAL),
	PLAIN(MADV_WILLNEED),
	PLAIN(MADV_MERGEABLE),
	PLAIN(MADV_UNMERGEABLE),
	PLAIN(MADV_HUGEPAGE),
	PLAIN(MADV_NOHUGEPAGE),
	PLAIN(MADV_DONTDUMP),
	PLAIN(MADV_DODUMP),
	PLAIN(MADV_COLD),
	PLAIN(MADV_PAGEOUT),
	NAMED(22, "MADV_POPULATE_READ"),
	NAMED(23, "MADV_POPULATE_WRITE"),
	NAMED(25, "MADV_COLLAPSE"),
};

const struct dh_sys_requests dh_sys_madvise = {
	.arg = 2, .mask = UINT32_MAX, REQUEST_LIST(madvise_rows)};

/* Names and the like are executed again, for whoever looks at the replay with a debugger.
 * Pretended: what would take the time stamp counter's trap away from the recorder, answer calls
 * before it sees them, or close the process's memory to it.  Refused: what would move the
 * address space under it. */
static const struct dh_sys_request prctl_rows[] = {
	RERUN(PR_SET_NAME, IN_STR(1)),
	RERUN(PR_GET_NAME, OUT(1, 16)),
	DH_REQ_NAMED(0x53564d41, "PR_SET_VMA", RERUN),
	PRETENDED(PR_SET_TSC),
	PRETENDED(PR_SET_SECCOMP),
	PRETENDED(PR_SET_DUMPABLE),
	REFUSED(PR_SET_MM, EPERM),
	NAMED_REFUSED(59, "PR_SET_SYSCALL_USER_DISPATCH"),
	NAMED_REFUSED(65, "PR_SET_MDWE"),
	NAMED_REFUSED(75, "PR_SET_SHADOW_STACK_STATUS"),
	NAMED_REFUSED(76, "PR_LOCK_SHADOW_STACK_STATUS"),
	NAMED_REFUSED(79, "PR_RSEQ_SLICE_EXTENSION"),
	PLAIN(PR_SET_PDEATHSIG),
	WITH(PR_GET_PDEATHSIG, OUT(1, 4)),
	PLAIN(PR_GET_DUMPABLE),
	WITH(PR_GET_UNALIGN, OUT(1, 4)),
	PLAIN(PR_SET_UNALIGN),
	PLAIN(PR_GET_KEEPCAPS),
	PLAIN(PR_SET_KEEPCAPS),
	WITH(PR_GET_FPEMU, OUT(1, 4)),
	PLAIN(PR_SET_FPEMU),
	WITH(PR_GET_FPEXC, OUT(1, 4)),
	PLAIN(PR_SET_FPEXC),
	PLAIN(PR_GET_TIMING),
	PLAIN(PR_SET_TIMING),
	WITH(PR_GET_ENDIAN, OUT(1, 4)),
	PLAIN(PR_SET_ENDIAN),
	PLAIN(PR_GET_SECCOMP),
	PLAIN(PR_CAPBSET_READ),
	PLAIN(PR_CAPBSET_DROP),
	WITH(PR_GET_TSC, OUT(1, 4)),
	PLAIN(PR_GET_SECUREBITS),
	PLAIN(PR_SET_SECUREBITS),
	PLAIN(PR_SET_TIMERSLACK),
	PLAIN(PR_GET_TIMERSLACK),
	PLAIN(PR_TASK_PERF_EVENTS_DISABLE),
	PLAIN(PR_TASK_PERF_EVENTS_ENABLE),
	PLAIN(PR_MCE_KILL),
	PLAIN(PR_MCE_KILL_GET),
	PLAIN(PR_SET_PTRACER),
	PLAIN(PR_SET_CHILD_SUBREAPER),
	WITH(PR_GET_CHILD_SUBREAPER, OUT(1, 4)),
	PLAIN(PR_SET_NO_NEW_PRIVS),
	PLAIN(PR_GET_NO_NEW_PRIVS),
	WITH(PR_GET_TID_ADDRESS, OUT(1, 8)),
	PLAIN(PR_SET_THP_DISABLE),
	PLAIN(PR_GET_THP_DISABLE),
	PLAIN(PR_MPX_ENABLE_MANAGEMENT),
	PLAIN(PR_MPX_DISABLE_MANAGEMENT),
	PLAIN(PR_SET_FP_MODE),
	PLAIN(PR_GET_FP_MODE),
	PLAIN(PR_CAP_AMBIENT),
	PLAIN(PR_GET_SPECULATION_CTRL),
	PLAIN(PR_SET_SPECULATION_CTRL),
	PLAIN(PR_SET_IO_FLUSHER),
	PLAIN(PR_GET_IO_FLUSHER),
	/* Only PR_SCHED_CORE_GET (command 0) writes; over-reporting the word is harmless. */
	NAMED(62, "PR_SCHED_CORE", OUT(4, 8)),
	NAMED(66, "PR_GET_MDWE"),
	NAMED(67, "PR_SET_MEMORY_MERGE"),
	NAMED(68, "PR_GET_MEMORY_MERGE"),
	NAMED(74, "PR_GET_SHADOW_STACK_STATUS", OUT(1, 8)),
	NAMED(77, "PR_TIMER_CREATE_RESTORE_IDS"),
	NAMED(78, "PR_FUTEX_HASH"),
	NAMED(0x41555856, "PR_GET_AUXV", SPECIAL(auxv, OUT, ON_SUCCESS, 1, 2)),
};

const struct dh_sys_requests dh_sys_prctl = {
	.arg = 0, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(prctl_rows)};

static const struct dh_sys_request arch_prctl_rows[] = {
	RERUN(ARCH_SET_GS),
	RERUN(ARCH_SET_FS),
	RERUN(ARCH_GET_FS, OUT(1, 8)),
	RERUN(ARCH_GET_GS, OUT(1, 8)),
	PLAIN(ARCH_GET_CPUID),
	/* The recorder may have cpuid trapped itself. */
	REFUSED(ARCH_SET_CPUID, ENODEV),
	DH_REQ_NAMED(0x1021, "ARCH_GET_XCOMP_SUPP", RERUN, MEM(OUT(1, 8))),
	DH_REQ_NAMED(0x1022, "ARCH_GET_XCOMP_PERM", RERUN, MEM(OUT(1, 8))),
	DH_REQ_NAMED(0x1023, "ARCH_REQ_XCOMP_PERM", RERUN),
	NAMED(0x1024, "ARCH_GET_XCOMP_GUEST_PERM", OUT(1, 8)),
	NAMED(0x1025, "ARCH_REQ_XCOMP_GUEST_PERM"),
	DH_REQ(ARCH_MAP_VDSO_X32, REFUSE, .refusal = EINVAL),
	DH_REQ(ARCH_MAP_VDSO_32, REFUSE, .refusal = EINVAL),
	DH_REQ(ARCH_MAP_VDSO_64, REFUSE, .refusal = EINVAL),
	DH_REQ_NAMED(0x4001, "ARCH_GET_UNTAG_MASK", RERUN, MEM(OUT(1, 8))),
	DH_REQ_NAMED(0x4002, "ARCH_ENABLE_TAGGED_ADDR", REFUSE, .refusal = EINVAL),
	DH_REQ_NAMED(0x4003, "ARCH_GET_MAX_TAG_BITS", RERUN, MEM(OUT(1, 8))),
	NAMED_REFUSED(0x5001, "ARCH_SHSTK_ENABLE"),
	NAMED_REFUSED(0x5002, "ARCH_SHSTK_DISABLE"),
	NAMED_REFUSED(0x5003, "ARCH_SHSTK_LOCK"),
	NAMED_REFUSED(0x5004, "ARCH_SHSTK_UNLOCK"),
	NAMED(0x5005, "ARCH_SHSTK_STATUS", OUT(1, 8)),
};

const struct dh_sys_requests dh_sys_arch_prctl = {
	.arg = 0, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(arch_prctl_rows)};

#define FUTEX_WAITS(v, ...) DH_REQ_NAMED(v, #v, INHERIT, .flags = DH_SYS_BLOCKS, MEM(__VA_ARGS__))

/* The operations with priority inheritance, and FUTEX_WAKE_OP, write the words themselves, also
 * when they fail halfway. */
static const struct dh_sys_request futex_rows[] = {
	FUTEX_WAITS(FUTEX_WAIT, IN(3, 16)),
	PLAIN(FUTEX_WAKE),
	PLAIN(FUTEX_FD),
	PLAIN(FUTEX_REQUEUE),
	PLAIN(FUTEX_CMP_REQUEUE),
	WITH(FUTEX_WAKE_OP, OUT_ANY(4, 4)),
	FUTEX_WAITS(FUTEX_LOCK_PI, IN(3, 16), OUT_ANY(0, 4)),
	WITH(FUTEX_UNLOCK_PI, OUT_ANY(0, 4)),
	WITH(FUTEX_TRYLOCK_PI, OUT_ANY(0, 4)),
	FUTEX_WAITS(FUTEX_WAIT_BITSET, IN(3, 16)),
	PLAIN(FUTEX_WAKE_BITSET),
	FUTEX_WAITS(FUTEX_WAIT_REQUEUE_PI, IN(3, 16), OUT_ANY(4, 4)),
	WITH(FUTEX_CMP_REQUEUE_PI, OUT_ANY(4, 4)),
	FUTEX_WAITS(FUTEX_LOCK_PI2, IN(3, 16), OUT_ANY(0, 4)),
};

const struct dh_sys_requests dh_sys_futex = {
	.arg = 1,
	.mask = (uint32_t)FUTEX_CMD_MASK,
	.unknown = DH_SYS_UNKNOWN_ASK,
	REQUEST_LIST(futex_rows),
};

static const struct dh_sys_request seccomp_rows[] = {
	PRETENDED(SECCOMP_SET_MODE_STRICT),
	/* With a listener it would have to give a descriptor. */
	DH_REQ(SECCOMP_SET_MODE_FILTER, REFUSE, .pretend = true,
		.pretend_not = SECCOMP_FILTER_FLAG_NEW_LISTENER, .refusal = EINVAL),
	WITH(SECCOMP_GET_ACTION_AVAIL, IN(2, 4)),
	WITH(SECCOMP_GET_NOTIF_SIZES, OUT(2, 6)),
};

const struct dh_sys_requests dh_sys_seccomp = {
	.arg = 0, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(seccomp_rows)};

static const struct dh_sys_request syslog_rows[] = {
	DH_REQ_NAMED(2, "SYSLOG_ACTION_READ", INHERIT, .flags = DH_SYS_BLOCKS, MEM(OUT_RET(1, 2))),
	NAMED(3, "SYSLOG_ACTION_READ_ALL", OUT_RET(1, 2)),
	NAMED(4, "SYSLOG_ACTION_READ_CLEAR", OUT_RET(1, 2)),
};

const struct dh_sys_requests dh_sys_syslog = {
	.arg = 0, .mask = UINT32_MAX, REQUEST_LIST(syslog_rows)};

/* Sizes are those of the kernel's structures: semid64_ds, seminfo, ... */
#define SEMID_DS 104
#define SHMID_DS 112
#define MSQID_DS 120

static const struct dh_sys_request semctl_rows[] = {
	PLAIN(IPC_RMID),
	WITH(IPC_SET, IN(3, SEMID_DS)),
	WITH(IPC_STAT, OUT(3, SEMID_DS)),
	WITH(SEM_STAT, OUT(3, SEMID_DS)),
	WITH(SEM_STAT_ANY, OUT(3, SEMID_DS)),
	WITH(IPC_INFO, OUT(3, sizeof(struct seminfo))),
	WITH(SEM_INFO, OUT(3, sizeof(struct seminfo))),
	PLAIN(GETPID),
	PLAIN(GETVAL),
	PLAIN(GETNCNT),
	PLAIN(GETZCNT),
	PLAIN(SETVAL),
	WITH(GETALL, SPECIAL(semarray, OUT, ON_SUCCESS, 3, NOARG)),
	WITH(SETALL, SPECIAL(semarray, IN, ALWAYS, 3, NOARG)),
};

const struct dh_sys_requests dh_sys_semctl = {
	.arg = 2, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(semctl_rows)};

static const struct dh_sys_request shmctl_rows[] = {
	PLAIN(IPC_RMID),
	WITH(IPC_SET, IN(2, SHMID_DS)),
	WITH(IPC_STAT, OUT(2, SHMID_DS)),
	WITH(SHM_STAT, OUT(2, SHMID_DS)),
	WITH(SHM_STAT_ANY, OUT(2, SHMID_DS)),
	WITH(IPC_INFO, OUT(2, 72)),
	WITH(SHM_INFO, OUT(2, sizeof(struct shm_info))),
	PLAIN(SHM_LOCK),
	PLAIN(SHM_UNLOCK),
};

const struct dh_sys_requests dh_sys_shmctl = {
	.arg = 1, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(shmctl_rows)};

static const struct dh_sys_request msgctl_rows[] = {
	PLAIN(IPC_RMID),
	WITH(IPC_SET, IN(2, MSQID_DS)),
	WITH(IPC_STAT, OUT(2, MSQID_DS)),
	WITH(MSG_STAT, OUT(2, MSQID_DS)),
	WITH(MSG_STAT_ANY, OUT(2, MSQID_DS)),
	WITH(IPC_INFO, OUT(2, sizeof(struct msginfo))),
	WITH(MSG_INFO, OUT(2, sizeof(struct msginfo))),
};

const struct dh_sys_requests dh_sys_msgctl = {
	.arg = 1, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(msgctl_rows)};

static const struct dh_sys_request keyctl_rows[] = {
	PLAIN(KEYCTL_GET_KEYRING_ID),
	WITH(KEYCTL_JOIN_SESSION_KEYRING, IN_STR(1)),
	WITH(KEYCTL_UPDATE, IN_N(2, 3, 1)),
	PLAIN(KEYCTL_REVOKE),
	PLAIN(KEYCTL_CHOWN),
	PLAIN(KEYCTL_SETPERM),
	WITH(KEYCTL_DESCRIBE, OUT_RET(2, 3)),
	PLAIN(KEYCTL_CLEAR),
	PLAIN(KEYCTL_LINK),
	PLAIN(KEYCTL_UNLINK),
	WITH(KEYCTL_SEARCH, IN_STR(2), IN_STR(3)),
	WITH(KEYCTL_READ, OUT_RET(2, 3)),
	WITH(KEYCTL_INSTANTIATE, IN_N(2, 3, 1)),
	PLAIN(KEYCTL_NEGATE),
	PLAIN(KEYCTL_SET_REQKEY_KEYRING),
	PLAIN(KEYCTL_SET_TIMEOUT),
	PLAIN(KEYCTL_ASSUME_AUTHORITY),
	WITH(KEYCTL_GET_SECURITY, OUT_RET(2, 3)),
	PLAIN(KEYCTL_SESSION_TO_PARENT),
	PLAIN(KEYCTL_REJECT),
	WITH(KEYCTL_INSTANTIATE_IOV, IN_IOV(2, 3)),
	PLAIN(KEYCTL_INVALIDATE),
	PLAIN(KEYCTL_GET_PERSISTENT),
	WITH(KEYCTL_DH_COMPUTE, OUT_RET(2, 3)),
	WITH(KEYCTL_PKEY_QUERY, OUT(4, sizeof(struct keyctl_pkey_query))),
	WITH(KEYCTL_PKEY_ENCRYPT, SPECIAL(keyctl_params, INOUT, ON_SUCCESS, 1, NOARG)),
	WITH(KEYCTL_PKEY_DECRYPT, SPECIAL(keyctl_params, INOUT, ON_SUCCESS, 1, NOARG)),
	WITH(KEYCTL_PKEY_SIGN, SPECIAL(keyctl_params, INOUT, ON_SUCCESS, 1, NOARG)),
	WITH(KEYCTL_PKEY_VERIFY, SPECIAL(keyctl_params, IN, ON_SUCCESS, 1, NOARG)),
	PLAIN(KEYCTL_RESTRICT_KEYRING),
	PLAIN(KEYCTL_MOVE),
	/* What it does not fill of the buffer it clears. */
	WITH(KEYCTL_CAPABILITIES, OUT_N(1, 2, 1)),
	PLAIN(KEYCTL_WATCH_KEY),
};

const struct dh_sys_requests dh_sys_keyctl = {
	.arg = 0, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(keyctl_rows)};

/* The lowest byte of the command is the kind of quota.  Both calls pass the structure as their
 * last argument, the fourth. */
static const struct dh_sys_request quotactl_rows[] = {
	PLAIN(Q_SYNC),
	WITH(Q_QUOTAON, IN_STR(3)),
	PLAIN(Q_QUOTAOFF),
	WITH(Q_GETFMT, OUT(3, 4)),
	WITH(Q_GETINFO, OUT(3, sizeof(struct if_dqinfo))),
	WITH(Q_SETINFO, IN(3, sizeof(struct if_dqinfo))),
	WITH(Q_GETQUOTA, OUT(3, sizeof(struct if_dqblk))),
	WITH(Q_SETQUOTA, IN(3, sizeof(struct if_dqblk))),
	WITH(Q_GETNEXTQUOTA, OUT(3, sizeof(struct if_nextdqblk))),
	WITH(Q_XQUOTAON, IN(3, 4)),
	WITH(Q_XQUOTAOFF, IN(3, 4)),
	WITH(Q_XGETQUOTA, OUT(3, sizeof(struct fs_disk_quota))),
	WITH(Q_XSETQLIM, IN(3, sizeof(struct fs_disk_quota))),
	WITH(Q_XGETQSTAT, OUT(3, sizeof(struct fs_quota_stat))),
	WITH(Q_XQUOTARM, IN(3, 4)),
	PLAIN(Q_XQUOTASYNC),
	WITH(Q_XGETQSTATV, OUT(3, sizeof(struct fs_quota_statv))),
	WITH(Q_XGETNEXTQUOTA, OUT(3, sizeof(struct fs_disk_quota))),
};

const struct dh_sys_requests dh_sys_quotactl = {
	.arg = 0,
	.shift = 8,
	.mask = UINT32_MAX,
	.unknown = DH_SYS_UNKNOWN_ASK,
	REQUEST_LIST(quotactl_rows),
};

const struct dh_sys_requests dh_sys_quotactl_fd = {
	.arg = 1,
	.shift = 8,
	.mask = UINT32_MAX,
	.unknown = DH_SYS_UNKNOWN_ASK,
	REQUEST_LIST(quotactl_rows),
};

static const struct dh_sys_request sysfs_rows[] = {
	NAMED(1, "1", IN_STR(1)),
	NAMED(2, "2", DH_MEM(string, OUT, ON_SUCCESS, 2, NOARG, 0)),
	NAMED(3, "3"),
};

const struct dh_sys_requests dh_sys_sysfs = {
	.arg = 0, .mask = UINT32_MAX, .unknown = DH_SYS_UNKNOWN_ASK, REQUEST_LIST(sysfs_rows)};

/* With flags it asks for a version and makes no descriptor. */
static const struct dh_sys_request landlock_create_rows[] = {
	DH_REQ_NAMED(0, "0", INHERIT, .flags = DH_SYS_FD_NEW),
	DH_REQ_NAMED(1, "LANDLOCK_CREATE_RULESET_VERSION", INHERIT),
	DH_REQ_NAMED(2, "LANDLOCK_CREATE_RULESET_ERRATA", INHERIT),
};

const struct dh_sys_requests dh_sys_landlock_create = {
	.arg = 2, .mask = UINT32_MAX, REQUEST_LIST(landlock_create_rows)};
