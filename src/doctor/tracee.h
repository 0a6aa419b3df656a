/* A traced child for the probes: forked, stopped before it runs its function. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

/* The child stops itself, then calls body and exits with its value.  options are PTRACE_O_*
 * beside EXITKILL and TRACESYSGOOD.  The pid, or -errno. */
pid_t dh_probe_tracee(int (*body)(void), unsigned long options);
/* Resumes with a ptrace request and waits for the next stop: the signal (SIGTRAP | 0x80 for system
 * calls, SIGTRAP | event << 8 for events), 0 when the child is gone, or -errno. */
int dh_probe_step(pid_t pid, int request);
void dh_probe_end(pid_t pid);
