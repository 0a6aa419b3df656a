/* Waiting for descriptors, for the files that take over system calls. */
#pragma once
#include <poll.h>

#include "sched/core.h"

/* Blocks until one of the descriptors is ready: not at all when one is.  The array must stay. */
enum dh_wake DH_HIDDEN dh_io_wait(struct pollfd *fds, uint32_t n, uint64_t deadline, uintptr_t pc);
/* A scheduling point, then blocks until a call on this descriptor would not block.  false: the call
 * fails, errno is set. */
bool DH_HIDDEN dh_io_wait_one(int fd, short events, uintptr_t pc);
/* What is written into a descriptor happens before what is read from its other end. */
void DH_HIDDEN dh_io_send(int fd);
void DH_HIDDEN dh_io_receive(int fd);
/* The two ends of one pipe or pair of sockets; a descriptor that is gone. */
void DH_HIDDEN dh_io_pair(const int fds[2]);
void DH_HIDDEN dh_io_gone(int fd);
/* A call may have made other descriptors ready. */
void DH_HIDDEN dh_io_done(void);
