/* Starts the first process of a recording or a replay: traced, filtered, without address space
 * randomisation, stopped at the exit of its exec. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

struct sock_filter;

struct dh_spawn {
	const char *file;  /* searched in PATH when it has no slash */
	char *const *argv; /* NULL-terminated */
	char *const *envp;
	const struct sock_filter *filter;
	int n_filter;
	/* In the child, before the filter is there; may be NULL. */
	void (*prepare)(void *cookie);
	void *cookie;
	int cpu; /* pinned to this one; -1: not pinned */
};

/* Forks; the child waits until the parent has attached, then runs exec.  The parent gets the pid
 * of a seized child that has been told to go on: its next stops are those of the exec.
 * -errno with words when the file cannot be executed at all. */
int dh_spawn_traced(const struct dh_spawn *s, pid_t *ret, struct dh_error *err);

/* The full path that execvp would use, or -ENOENT/-EACCES. */
int dh_spawn_resolve(const char *file, char *ret, size_t size);
