/* Private to this folder: the code that runs inside the program, see src/wire/buffer.h.
 *
 * Rules for everything here.  It runs on a stack of its own, with the program's registers put
 * away, and is never entered twice at a time in one address space.  No signal handler runs while
 * it does: the tracer lets it finish first.  It must not wait for anything that has no bound but in
 * dh_wait(), must not touch the program's memory before the kernel has found it good (or says so in
 * area.probing), and must leave no trace but the outputs of the call. */
#pragma once
#include <linux/errno.h>
#include <stdbool.h>

#include "wire/buffer.h"

#define AREA   ((struct dh_buffer_area *)DH_LANDING_AREA)
#define RING   ((uint8_t *)DH_AREA_RING)

#define ERR(e) (-(long)(e))

/* dh_raw() makes a call that does not stop and has a bound; dh_wait() one that may wait, only
 * where area.alone says so: -EINTR then means that nothing was done.  entry.S. */
#define DH_CALLER(name, entry)                                                                     \
	static inline long name(long nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,       \
		uint64_t a4, uint64_t a5)                                                          \
	{                                                                                          \
		register uint64_t r10 __asm__("r10") = a3;                                         \
		register uint64_t r8 __asm__("r8") = a4;                                           \
		register uint64_t r9 __asm__("r9") = a5;                                           \
                                                                                                   \
		__asm__ volatile("call " entry                                                     \
				 : "+a"(nr)                                                        \
				 : "D"(a0), "S"(a1), "d"(a2), "r"(r10), "r"(r8), "r"(r9)           \
				 : "rcx", "r11", "memory", "cc");                                  \
		return nr;                                                                         \
	}
DH_CALLER(dh_raw, "dh_buffer_call")
DH_CALLER(dh_wait, "dh_buffer_wait")

#define dh_raw1(nr, a)       dh_raw(nr, (uint64_t)(a), 0, 0, 0, 0, 0)
#define dh_raw2(nr, a, b)    dh_raw(nr, (uint64_t)(a), (uint64_t)(b), 0, 0, 0, 0)
#define dh_raw3(nr, a, b, c) dh_raw(nr, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), 0, 0, 0)
#define dh_raw4(nr, a, b, c, d)                                                                    \
	dh_raw(nr, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d), 0, 0)

/* The same with a stop, for the tracer to act on.  entry.S. */
void dh_buffer_stop(uint64_t reason, uint64_t a, uint64_t b, uint64_t which);

/* The result of a handler that leaves the call to the trampoline: nothing has been done. */
#define DH_LEAVE (-1000000L)

/* A signal that interrupts is the tracer's to judge: made again, the call stops. */
static inline long dh_unless_interrupted(long r)
{
	return r == ERR(EINTR) ? DH_LEAVE : r;
}

/* The kernel's struct msghdr as programs see it. */
struct dh_msg {
	uint64_t name;
	uint32_t namelen, pad;
	uint64_t iov, iovlen, control, controllen;
	uint32_t flags, pad2;
};

/* A call that is being recorded. */
struct dh_call {
	const uint64_t *arg;
	uint8_t *at; /* where its next output goes */
	unsigned nr, n_out;
	struct dh_note *note; /* NULL: nobody asks what it is about */
	uint8_t *note_at;     /* where the next object goes */
};

/* ring.c */
/* Room for a record with this many bytes of outputs, in at most DH_BUFFER_OUT_MAX pieces. */
bool dh_ring_room(uint64_t outputs);
void dh_ring_begin(struct dh_call *c, const struct dh_buffer_frame *f);
void dh_ring_out(struct dh_call *c, unsigned arg, uint64_t len);
/* The number of the file that it maps. */
void dh_ring_file(struct dh_call *c, uint64_t file);
void dh_ring_out_at(struct dh_call *c, uint64_t addr, uint64_t len);
/* The call has written this to a descriptor of class DH_BUFFER_FD_OUT or _ERR. */
void dh_ring_shown(struct dh_call *c, uint8_t class, uint64_t addr, uint64_t len);
void dh_ring_commit(const struct dh_call *c, long result);
bool dh_ring_replay(struct dh_buffer_frame *f);

/* note.c: only where area.describes says so */
/* Before the call: false when the tracer has to describe it. */
bool dh_note_begin(struct dh_call *c);
/* When it is made. */
void dh_note_end(struct dh_call *c, long result);

/* inputs.c */
/* Goes on from the checksum h with the memory that the kernel read. */
uint64_t dh_inputs(uint64_t h, unsigned nr, const uint64_t *arg, long result);

/* table.c */
bool dh_table_record(struct dh_buffer_frame *f);
/* Whether a replay makes the call too, for its effect. */
bool dh_table_reruns(unsigned nr);

/* Handlers see to it that there is room (dh_ring_room), perform the call with whatever precautions
 * it needs, add its outputs, and return the result or DH_LEAVE. */
typedef long dh_handler(struct dh_call *c);

/* files.c */
uint8_t dh_fd_class(uint64_t fd);
bool dh_fd_nonblocking(uint64_t fd);
void dh_fd_set_class(uint64_t fd, uint8_t class);
dh_handler dh_open, dh_openat, dh_close, dh_fcntl, dh_ioctl;

/* memory.c */
dh_handler dh_mmap, dh_prlimit;
/* What a replay makes of a recorded mmap. */
long dh_mmap_again(const uint64_t *arg, long result, uint64_t file);

/* stream.c */
dh_handler dh_read, dh_readv, dh_write, dh_writev, dh_sendto, dh_sendmsg, dh_recvfrom, dh_recvmsg,
	dh_accept;

/* wait.c */
dh_handler dh_poll, dh_ppoll, dh_select, dh_pselect, dh_epoll_wait, dh_epoll_pwait, dh_futex;
