/* The analysis of a scanned program: from functions to ranked findings.  scan/ir has the program,
 * scan/extract makes it from sources, scan/link resolves calls through pointers. */
#pragma once
#include "base/forward.h"

struct dh_finding;
struct dh_scan_program;

/* What is taken for a race (RacerX 8.1, least to most precise; pairs go beyond it). */
enum dh_scan_mode {
	DH_SCAN_AUTO,        /* pairs for a program, precise for a kernel */
	DH_SCAN_PAIRS,       /* two accesses that may meet, without a common lock */
	DH_SCAN_SIMPLE,      /* variables that are used with no lock at all */
	DH_SCAN_STATISTICAL, /* and members that are used with a lock as a rule */
	DH_SCAN_PRECISE,     /* without the lock that protects it as a rule */
};

/* All zero is the default for a program of threads. */
struct dh_scan_options {
	const char *const *profiles; /* names, ended by NULL; NULL: chosen by what is called */
	const char *const *configs;  /* files with more tables, ended by NULL; NULL: none */
	enum dh_scan_mode mode;
	bool infer_locks; /* also report what looks like an unknown pair of lock functions */
	unsigned jobs;    /* processes at a time; 0: one.  It does not change what is found */
};

struct dh_scan_sink {
	/* Takes the sealed finding over. */
	void (*finding)(void *arg, struct dh_finding *f);
	/* How far it is; NULL: nobody wants to know. */
	void (*progress)(void *arg, const char *what, uint64_t done, uint64_t total);
	/* A limit was met: what was left out, as a sentence; NULL: nobody wants to know. */
	void (*note)(void *arg, const char *text);
	void *arg;
};

/* Calls the sink for every finding, the most worth a look first.  The program gains nodes, nothing
 * else of it changes.  0 or -errno with words in err. */
int dh_scan_analyse(struct dh_scan_program *p, const struct dh_scan_options *o,
	const struct dh_scan_sink *sink, struct dh_error *err);
