#include "scan/extract/changed.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "model/finding.h"

#define MAX_DIFF ((size_t)1 << 30)

extern char **environ;

void dh_scan_changes_init(struct dh_scan_changes *c)
{
	*c = (struct dh_scan_changes){0};
	dh_strset_init(&c->names);
}

void dh_scan_changes_release(struct dh_scan_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->files[i].ranges);
	free(c->files);
	dh_strset_release(&c->names);
	*c = (struct dh_scan_changes){0};
}

static void add_range(struct dh_scan_changes *c, const char *file, uint32_t first, uint32_t last)
{
	uint32_t id = dh_strset_add(&c->names, file);
	struct dh_scan_changed_file *f;

	while (c->n <= id) {
		DH_GROW(c->files, c->n, c->cap);
		c->files[c->n++] = (struct dh_scan_changed_file){0};
	}
	f = &c->files[id];
	DH_GROW(f->ranges, f->n, f->cap);
	f->ranges[f->n++] = (struct dh_scan_range){first, last};
}

/* "@@ -1,2 +3,4 @@": four lines from 3 on; "+3" is one line, "+3,0" a place where lines are gone:
 * what stands around it has changed. */
static void add_hunk(struct dh_scan_changes *c, const char *file, const char *line)
{
	const char *plus = strchr(line, '+');
	char *end;
	unsigned long first, count = 1;

	if (!plus)
		return;
	first = strtoul(plus + 1, &end, 10);
	if (*end == ',')
		count = strtoul(end + 1, NULL, 10);
	if (first > UINT32_MAX - 1 || count > UINT32_MAX - 1 - first)
		return;
	add_range(c, file, (uint32_t)first, (uint32_t)(count ? first + count - 1 : first + 1));
}

int dh_scan_changes_parse(struct dh_scan_changes *c, const char *diff, struct dh_error *err)
{
	DH_FREE char *copy = dh_strdup(diff), *file = NULL;
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, "+++ ", 4) == 0) {
			free(file);
			file = strncmp(line + 4, "b/", 2) == 0 ? dh_strdup(line + 6) : NULL;
		} else if (strncmp(line, "@@ ", 3) == 0 && file) {
			add_hunk(c, file, line);
		}
	}
	return 0;
}

/* Runs git and collects what it prints. */
static int run_git(char *const *argv, struct dh_buf *out, struct dh_error *err)
{
	posix_spawn_file_actions_t actions;
	int pipes[2], status = 0, r;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return dh_error_set(err, errno, "pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO);
	r = -posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipes[1]);
	if (r == 0)
		r = dh_read_fd(pipes[0], MAX_DIFF, out);
	close(pipes[0]);
	if (r < 0)
		return dh_error_set(err, -r, "git: %s", strerror(-r));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return dh_error_set(err, EINVAL,
			"git cannot tell what changed since then; --changed-since needs a revision "
			"of the repository around the working directory");
	return 0;
}

static int add_untracked(struct dh_scan_changes *c, struct dh_error *err)
{
	const char *argv[] = {"git", "ls-files", "--others", "--exclude-standard", NULL};
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	int r = run_git((char *const *)(uintptr_t)argv, &out, err);
	char *rest = out.data, *line;

	while (r == 0 && rest && (line = strsep(&rest, "\n"))) {
		if (line[0])
			add_range(c, line, 1, UINT32_MAX);
	}
	return r;
}

int dh_scan_changes_load(struct dh_scan_changes *c, const char *revision, struct dh_error *err)
{
	const char *argv[] = {"git", "diff", "--unified=0", "--no-color", "--no-ext-diff",
		"--relative", "--src-prefix=a/", "--dst-prefix=b/", revision, "--", NULL};
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	int r;

	if (revision[0] == '-')
		return dh_error_set(err, EINVAL, "'%s' is not a revision", revision);
	r = run_git((char *const *)(uintptr_t)argv, &out, err);
	if (r == 0)
		r = dh_scan_changes_parse(c, dh_buf_str(&out), err);
	return r < 0 ? r : add_untracked(c, err);
}

bool dh_scan_changes_have(const struct dh_scan_changes *c, const char *file, uint32_t line)
{
	int64_t id = file ? dh_strset_find(&c->names, file) : -1;
	const struct dh_scan_changed_file *f = id >= 0 && (size_t)id < c->n ? &c->files[id] : NULL;

	for (size_t i = 0; f && i < f->n; i++) {
		if (f->ranges[i].first <= line && line <= f->ranges[i].last)
			return true;
	}
	return false;
}

bool dh_scan_changes_touch(const struct dh_scan_changes *c, const struct dh_finding *f)
{
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_site *s = &f->sites[i];

		if (dh_scan_changes_have(c, s->at.file, s->at.line))
			return true;
		for (size_t k = 0; k < s->stack.n; k++) {
			if (dh_scan_changes_have(
				    c, s->stack.frames[k].file, s->stack.frames[k].line))
				return true;
		}
	}
	return false;
}
