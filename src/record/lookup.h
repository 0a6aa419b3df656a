/* Private to this folder: which object a path or a descriptor of a stopped task leads to.
 * Looked up from outside, at the moment of the call; nothing is opened but places (O_PATH). */
#pragma once
#include "trace/call.h"

#include <sys/types.h>

#define PATH_SIZE 4096

struct lookup {
	struct dh_ev_ref ref; /* without its strings */
	char path[PATH_SIZE];
	char given[PATH_SIZE];
};

void dh_lookup_fd(struct lookup *l, pid_t tid, int fd);
/* dir: a descriptor of the process, or AT_FDCWD. */
void dh_lookup_path(struct lookup *l, pid_t pid, int dir, const char *path, bool follow);
