/* Private to this folder: what the parts of a sandbox share while it is being built. */
#pragma once
#include "base/buf.h"
#include "sandbox/sandbox.h"

struct dh_sandbox_build {
	const struct dh_sandbox_options *opt;
	const char *base; /* a fresh directory of ours; what is mounted there only we see */
	bool hide_place;  /* the directory of base is for sandboxes only */
	char cwd[4096];
	struct dh_sandbox_inside inside;
	int n_mounts;
	struct dh_buf places; /* where something is mounted outside, each ending with NUL */
	struct dh_error *err;
};

/* layers.c: new file systems in the new mount namespace, and their root as ours. */
int dh_sandbox_mount_all(struct dh_sandbox_build *b);

/* copy.c: where overlays are not allowed. */
int dh_sandbox_mount_copies(struct dh_sandbox_build *b, const char *root);

/* devices.c: /proc, /sys, /dev and /run below root. */
int dh_sandbox_mount_special(struct dh_sandbox_build *b, const char *root);
bool dh_sandbox_is_special(const char *name); /* a name in / that the above makes */
int dh_sandbox_bind_readonly(const char *from, const char *to);
int dh_sandbox_touch(const char *path);

/* namespaces.c */
/* Forks into the namespaces; in the parent the pid, in the child 0, or -errno with words. */
pid_t dh_sandbox_fork(bool *ret_userns, struct dh_error *err);
/* From outside: which users and groups exist inside. */
int dh_sandbox_map_ids(pid_t pid, struct dh_error *err);
void dh_sandbox_loopback_up(void);
