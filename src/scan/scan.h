/* The analysis of a scanned program: from functions to ranked findings.  scan/ir has the program,
 * scan/extract makes it from sources, scan/link resolves calls through pointers. */
#pragma once
#include "base/forward.h"

struct dh_finding;
struct dh_scan_program;

/* All zero is the default for a program of threads. */
struct dh_scan_options {
	const char *const *profiles; /* names, ended by NULL; NULL: chosen by what is called */
	const char *const *configs;  /* files with more tables, ended by NULL; NULL: none */
	bool infer_locks; /* also report what looks like an unknown pair of lock functions */
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
