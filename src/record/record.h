/* Recorder: runs a program and its whole process tree under ptrace and writes down everything that
 * comes from outside the program, so that src/replay can run it again exactly.
 * Never prints; warnings are collected in the result. */
#pragma once
#include "base/forward.h"

struct dh_gate;

struct dh_record_options {
	const char *dir;   /* must not exist, or be empty */
	char *const *argv; /* NULL-terminated; argv[0] is searched in PATH */
	uint64_t max_size; /* 0: keep all; else a ring of about this many bytes */
	bool chaos;        /* random order and length of turns, from the seed */
	uint64_t seed;
	bool buffer;   /* let the injected library record frequent calls by itself */
	bool calls;    /* say what every call was about (trace/call.h) */
	bool unsynced; /* nobody waits for the disk: what a machine loses is recorded again */
	/* Asked at every call until it opens (gate.h); may be NULL. */
	const struct dh_gate *gate;
	/* In the first process just before it executes the program; may be NULL.  Only what is safe
	 * after a fork. */
	void (*prepare)(void *cookie);
	/* The recording ends before the program does: called before all tasks are killed and every
	 * child of this process is waited for, so those that are not the recorder's must end; may
	 * be NULL. */
	void (*ending)(void *cookie);
	/* Called for each thing that a person should know while recording; may be NULL. */
	void (*warn)(void *cookie, const char *text);
	void *cookie;
};

struct dh_record_result {
	int status; /* wait status of the first process */
	uint64_t events;
	uint64_t tasks, processes;
	uint64_t signals, points; /* handlers entered, of which at arbitrary instructions */
	uint64_t preemptions;
	int write_error; /* 0, or the errno that ended the recording while the program went on */
};

/* 0 or -errno.  When the program cannot be started nothing is left behind. */
int dh_record_run(
	const struct dh_record_options *opt, struct dh_record_result *ret, struct dh_error *err);

/* Asks a running recorder to pass sig on to the first process (safe in a signal handler). */
void dh_record_forward_signal(int sig);
