/* The processes of a recording, from its events alone: nothing is run. */
#pragma once
#include "base/forward.h"

struct dh_trace_reader;

struct dh_ps_process {
	uint32_t pid, ppid;   /* as recorded; ppid 0: the first process */
	uint64_t first, last; /* events, both included */
	int status;           /* wait status, when it has ended */
	bool ended, executed; /* executed: runs a program of its own, not only its parent's */
	char *command;        /* the arguments of what it executed last, or of its parent */
};

struct dh_ps {
	struct dh_ps_process *processes; /* in the order in which they began */
	size_t n, cap;
	uint64_t events; /* that were read */
	bool complete;   /* the recorder ended properly */
};

/* 0, or -errno of the reader; ret has then what was before the damage.  Release in both cases. */
int dh_ps_read(struct dh_trace_reader *reader, struct dh_ps *ret, struct dh_error *err);
void dh_ps_release(struct dh_ps *ps);
/* NULL: no such process. */
const struct dh_ps_process *dh_ps_find(const struct dh_ps *ps, uint32_t pid);
