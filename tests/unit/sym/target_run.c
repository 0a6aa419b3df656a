#include "target.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void target_start(struct target *t, const char *path)
{
	int in[2], out[2];
	FILE *said;

	memset(t, 0, sizeof(*t));
	if (pipe(in) < 0 || pipe(out) < 0)
		abort();
	t->pid = fork();
	if (t->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	t->in = in[1];
	said = fdopen(out[0], "r");
	while (said && t->n < TARGET_MAX_PARTS &&
		fscanf(said, "%63s %lx %d", t->part[t->n].name, &t->part[t->n].addr,
			&t->part[t->n].line) == 3 &&
		strcmp(t->part[t->n].name, "end") != 0)
		t->n++;
	if (!t->n)
		abort();
	t->out = dup(out[0]);
	fclose(said);
}

void target_stop(struct target *t)
{
	int status;

	close(t->in);
	close(t->out);
	kill(t->pid, SIGKILL);
	waitpid(t->pid, &status, 0);
}

static size_t find(const struct target *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->part[i].name, name) == 0)
			return i;
	}
	abort();
}

uint64_t target_addr(const struct target *t, const char *name)
{
	return t->part[find(t, name)].addr;
}

int target_line(const struct target *t, const char *name)
{
	return t->part[find(t, name)].line;
}
