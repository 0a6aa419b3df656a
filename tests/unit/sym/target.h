/* A running target (target.c) and what it said about itself. */
#pragma once
#include <sys/types.h>

#include "base/forward.h"

#define TARGET_MAX_PARTS 32

struct target {
	pid_t pid;
	int in, out;
	size_t n;
	struct {
		char name[64];
		uint64_t addr;
		int line;
	} part[TARGET_MAX_PARTS];
};

/* Starts it and reads all it says; the target then waits for the end of its input. */
void target_start(struct target *t, const char *path);
void target_stop(struct target *t);
uint64_t target_addr(const struct target *t, const char *name);
int target_line(const struct target *t, const char *name);
