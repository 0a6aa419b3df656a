/* Which calls are recorded here, and how. */
#include "buffer.h"

#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/resource.h>
#include <linux/stat.h>
#include <linux/time.h>
#include <linux/times.h>

enum how {
	NO,     /* the call always stops */
	PLAIN,  /* bounded whatever its arguments are: made as it is */
	FILE,   /* the same, when argument 0 is a file */
	CHANGE, /* the same, for calls that change the contents of a file */
	RERUN,  /* never stops by itself, and a replay makes it too: each has a record */
	SPECIAL,
};

#define NO_ARG 7

/* An output: at which argument, of how many bytes; or up to as many as argument `bound` says, the
 * result being the count. */
struct out {
	uint8_t arg, bound;
	uint16_t size;
};

struct row {
	uint8_t how;
	uint8_t n_out;
	struct out out[2];
	dh_handler *handler;
};

_Static_assert(sizeof(struct row) == DH_BUFFER_ROW_SIZE && offsetof(struct row, how) == 0, "");

#define OUT(a, n)                                                                                  \
	{                                                                                          \
		(a), NO_ARG, (n)                                                                   \
	}
#define OUT_RET(a, b)                                                                              \
	{                                                                                          \
		(a), (b), 0                                                                        \
	}
#define ROW0(h)                                                                                    \
	{                                                                                          \
		.how = (h)                                                                         \
	}
#define ROW1(h, o)                                                                                 \
	{                                                                                          \
		.how = (h), .n_out = 1, .out = { o }                                               \
	}
#define ROW2(h, o, o2)                                                                             \
	{                                                                                          \
		.how = (h), .n_out = 2, .out = { o, o2 }                                           \
	}
#define ROWH(fn)                                                                                   \
	{                                                                                          \
		.how = SPECIAL, .handler = (fn)                                                    \
	}

#define STAT  sizeof(struct stat)
#define TIMER 32 /* struct itimerval, struct itimerspec */

static const struct row rows[] __attribute__((section(".rows"))) = {
	[__NR_read] = ROWH(dh_read),
	[__NR_write] = ROWH(dh_write),
	[__NR_open] = ROWH(dh_open),
	[__NR_close] = ROWH(dh_close),
	[__NR_stat] = ROW1(PLAIN, OUT(1, STAT)),
	[__NR_fstat] = ROW1(PLAIN, OUT(1, STAT)),
	[__NR_lstat] = ROW1(PLAIN, OUT(1, STAT)),
	[__NR_poll] = ROWH(dh_poll),
	[__NR_lseek] = ROW0(PLAIN),
	[__NR_mmap] = ROWH(dh_mmap),
	[__NR_rt_sigaction] = ROW0(RERUN),
	[__NR_rt_sigprocmask] = ROW0(RERUN),
	[__NR_ioctl] = ROWH(dh_ioctl),
	[__NR_pread64] = ROW1(FILE, OUT_RET(1, 2)),
	[__NR_pwrite64] = ROW0(CHANGE),
	[__NR_readv] = ROWH(dh_readv),
	[__NR_writev] = ROWH(dh_writev),
	[__NR_access] = ROW0(PLAIN),
	[__NR_getitimer] = ROW1(PLAIN, OUT(1, TIMER)),
	[__NR_alarm] = ROW0(PLAIN),
	[__NR_setitimer] = ROW1(PLAIN, OUT(2, TIMER)),
	[__NR_select] = ROWH(dh_select),
	[__NR_getpid] = ROW0(PLAIN),
	[__NR_accept] = ROWH(dh_accept),
	[__NR_sendto] = ROWH(dh_sendto),
	[__NR_recvfrom] = ROWH(dh_recvfrom),
	[__NR_sendmsg] = ROWH(dh_sendmsg),
	[__NR_recvmsg] = ROWH(dh_recvmsg),
	[__NR_fcntl] = ROWH(dh_fcntl),
	[__NR_fsync] = ROW0(FILE),
	[__NR_fdatasync] = ROW0(FILE),
	[__NR_ftruncate] = ROW0(CHANGE),
	[__NR_getcwd] = ROW1(PLAIN, OUT_RET(0, 1)),
	[__NR_chdir] = ROW0(PLAIN),
	[__NR_fchdir] = ROW0(PLAIN),
	[__NR_rename] = ROW0(PLAIN),
	[__NR_mkdir] = ROW0(PLAIN),
	[__NR_rmdir] = ROW0(PLAIN),
	[__NR_link] = ROW0(PLAIN),
	[__NR_unlink] = ROW0(PLAIN),
	[__NR_symlink] = ROW0(PLAIN),
	[__NR_readlink] = ROW1(PLAIN, OUT_RET(1, 2)),
	[__NR_chmod] = ROW0(PLAIN),
	[__NR_fchmod] = ROW0(PLAIN),
	[__NR_chown] = ROW0(PLAIN),
	[__NR_fchown] = ROW0(PLAIN),
	[__NR_lchown] = ROW0(PLAIN),
	[__NR_umask] = ROW0(PLAIN),
	[__NR_gettimeofday] = ROW2(PLAIN, OUT(0, 16), OUT(1, 8)),
	[__NR_getrusage] = ROW1(PLAIN, OUT(1, sizeof(struct rusage))),
	[__NR_times] = ROW1(PLAIN, OUT(0, sizeof(struct tms))),
	[__NR_getuid] = ROW0(PLAIN),
	[__NR_getgid] = ROW0(PLAIN),
	[__NR_geteuid] = ROW0(PLAIN),
	[__NR_getegid] = ROW0(PLAIN),
	[__NR_getppid] = ROW0(PLAIN),
	[__NR_getpgrp] = ROW0(PLAIN),
	[__NR_statfs] = ROW1(PLAIN, OUT(1, sizeof(struct statfs))),
	[__NR_fstatfs] = ROW1(PLAIN, OUT(1, sizeof(struct statfs))),
	[__NR_gettid] = ROW0(PLAIN),
	[__NR_getxattr] = ROW1(PLAIN, OUT_RET(2, 3)),
	[__NR_lgetxattr] = ROW1(PLAIN, OUT_RET(2, 3)),
	[__NR_fgetxattr] = ROW1(PLAIN, OUT_RET(2, 3)),
	[__NR_time] = ROW1(PLAIN, OUT(0, 8)),
	[__NR_futex] = ROWH(dh_futex),
	[__NR_getdents64] = ROW1(FILE, OUT_RET(1, 2)),
	[__NR_fadvise64] = ROW0(FILE),
	[__NR_timer_settime] = ROW1(PLAIN, OUT(3, TIMER)),
	[__NR_timer_gettime] = ROW1(PLAIN, OUT(1, TIMER)),
	[__NR_timer_getoverrun] = ROW0(PLAIN),
	[__NR_clock_gettime] = ROW1(PLAIN, OUT(1, 16)),
	[__NR_clock_getres] = ROW1(PLAIN, OUT(1, 16)),
	[__NR_epoll_wait] = ROWH(dh_epoll_wait),
	[__NR_epoll_ctl] = ROW0(PLAIN),
	[__NR_openat] = ROWH(dh_openat),
	[__NR_mkdirat] = ROW0(PLAIN),
	[__NR_fchownat] = ROW0(PLAIN),
	[__NR_newfstatat] = ROW1(PLAIN, OUT(2, STAT)),
	[__NR_unlinkat] = ROW0(PLAIN),
	[__NR_renameat] = ROW0(PLAIN),
	[__NR_linkat] = ROW0(PLAIN),
	[__NR_symlinkat] = ROW0(PLAIN),
	[__NR_readlinkat] = ROW1(PLAIN, OUT_RET(2, 3)),
	[__NR_fchmodat] = ROW0(PLAIN),
	[__NR_faccessat] = ROW0(PLAIN),
	[__NR_pselect6] = ROWH(dh_pselect),
	[__NR_ppoll] = ROWH(dh_ppoll),
	[__NR_utimensat] = ROW0(PLAIN),
	[__NR_epoll_pwait] = ROWH(dh_epoll_pwait),
	[__NR_fallocate] = ROW0(CHANGE),
	[__NR_accept4] = ROWH(dh_accept),
	[__NR_timerfd_settime] = ROW1(PLAIN, OUT(3, TIMER)),
	[__NR_timerfd_gettime] = ROW1(PLAIN, OUT(1, TIMER)),
	[__NR_prlimit64] = ROWH(dh_prlimit),
	[__NR_renameat2] = ROW0(PLAIN),
	[__NR_getrandom] = ROW1(PLAIN, OUT_RET(0, 1)),
	[__NR_statx] = ROW1(PLAIN, OUT(4, sizeof(struct statx))),
	[__NR_faccessat2] = ROW0(PLAIN),
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static bool allowed(const struct row *row, const uint64_t *arg)
{
	uint8_t class;

	if (row->how == PLAIN)
		return true;
	class = dh_fd_class(arg[0]);
	return class == DH_BUFFER_FD_FILE || (class == DH_BUFFER_FD_SHARED && row->how == FILE);
}

static long plain(struct dh_call *c, const struct row *row)
{
	uint64_t most = 0;
	long r;

	if (!allowed(row, c->arg))
		return DH_LEAVE;
	for (int i = 0; i < row->n_out; i++) {
		const struct out *o = &row->out[i];

		most += o->bound == NO_ARG ? o->size : c->arg[o->bound];
		if (most > DH_BUFFER_OUTPUT_MAX)
			return DH_LEAVE;
	}
	if (!dh_ring_room(most))
		return DH_LEAVE;
	r = dh_raw(c->nr, c->arg[0], c->arg[1], c->arg[2], c->arg[3], c->arg[4], c->arg[5]);
	if (r < 0)
		return dh_unless_interrupted(r);
	for (int i = 0; i < row->n_out; i++) {
		const struct out *o = &row->out[i];

		if (o->bound == NO_ARG)
			dh_ring_out(c, o->arg, o->size);
		else if ((uint64_t)r <= c->arg[o->bound])
			dh_ring_out(c, o->arg, (uint64_t)r);
	}
	return r;
}

bool dh_table_reruns(unsigned nr)
{
	return nr < N_ROWS && rows[nr].how == RERUN;
}

/* A signal that strikes before it is made must find it not made: the tracer has changed the mask
 * until we are out of the way. */
static long rerun(struct dh_call *c)
{
	if (!dh_ring_room(0))
		return DH_LEAVE;
	return dh_unless_interrupted(
		dh_wait(c->nr, c->arg[0], c->arg[1], c->arg[2], c->arg[3], c->arg[4], c->arg[5]));
}

static long record(struct dh_call *c, const struct row *row)
{
	switch (row->how) {
	case SPECIAL:
		return row->handler(c);
	case RERUN:
		return rerun(c);
	default:
		return plain(c, row);
	}
}

bool dh_table_record(struct dh_buffer_frame *f)
{
	struct dh_call c;
	const struct row *row;
	long r;

	if (f->rax >= N_ROWS)
		return false;
	row = &rows[f->rax];
	if (row->how == NO || (AREA->yield && row->how != RERUN))
		return false;
	dh_ring_begin(&c, f);
	AREA->inside = AREA->head + 1;
	r = AREA->describes && !dh_note_begin(&c) ? DH_LEAVE : record(&c, row);
	if (r != DH_LEAVE) {
		dh_note_end(&c, r);
		dh_ring_commit(&c, r);
		f->rax = (uint64_t)r;
	}
	AREA->inside = 0;
	return r != DH_LEAVE;
}
