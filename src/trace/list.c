#include "trace/list.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

#define LATEST       "latest"
#define NAME_MAX_LEN 64
#define NUMBER_MAX   INT64_C(1000000000)

static const char *base_or_default(const char *base)
{
	return base ? base : DH_TRACE_LIST_BASE;
}

/* The program's name without its folder, fit for a directory that people type. */
static void plain_name(const char *program, char ret[NAME_MAX_LEN + 1])
{
	const char *slash = strrchr(program, '/');
	size_t n = 0;

	for (const char *s = slash ? slash + 1 : program; *s && n < NAME_MAX_LEN; s++)
		ret[n++] = isalnum((unsigned char)*s) || strchr("._+-", *s) ? *s : '_';
	if (n == 0)
		ret[n++] = '_';
	if (ret[0] == '.' || ret[0] == '-')
		ret[0] = '_';
	ret[n] = '\0';
}

/* N of "<name>-N", or 0. */
static int64_t number_of(const char *entry, const char *name)
{
	size_t n = strlen(name);
	char *end;
	long long v;

	if (strncmp(entry, name, n) != 0 || entry[n] != '-' ||
		!isdigit((unsigned char)entry[n + 1]))
		return 0;
	v = strtoll(entry + n + 1, &end, 10);
	return *end || v >= NUMBER_MAX ? 0 : v;
}

static int64_t last_number(const char *base, const char *name)
{
	DIR *d = opendir(base);
	int64_t last = 0;
	struct dirent *e;

	while (d && (e = readdir(d)))
		last = DH_MAX(last, number_of(e->d_name, name));
	if (d)
		closedir(d);
	return last;
}

int dh_trace_list_new(const char *base, const char *program, char **ret_dir, struct dh_error *err)
{
	char name[NAME_MAX_LEN + 1];
	int64_t n;
	int r;

	base = base_or_default(base);
	r = dh_mkdir_p(base, 0755, err);
	if (r == -EACCES || r == -EROFS)
		return dh_error_set(err, -r,
			"%s: %s; recordings are kept there: change to a directory that you may "
			"write to",
			base, strerror(-r));
	if (r < 0)
		return r;
	plain_name(program, name);
	for (n = last_number(base, name) + 1; n < NUMBER_MAX; n++) {
		char *dir = dh_asprintf("%s/%s-%lld", base, name, (long long)n);

		if (mkdir(dir, 0755) == 0) {
			*ret_dir = dir;
			return 0;
		}
		r = -errno;
		/* Somebody else was faster: take the next number. */
		if (r != -EEXIST)
			dh_error_set(err, -r, "%s: %s", dir, strerror(-r));
		free(dir);
		if (r != -EEXIST)
			return r;
	}
	return dh_error_set(err, EOVERFLOW, "%s: too many recordings of %s", base, name);
}

/* What the link shall hold: a bare name for a neighbour, so that the folder can be moved. */
static char *link_target(const char *base, const char *dir)
{
	DH_FREE char *real_base = realpath(base, NULL);
	char *real_dir = realpath(dir, NULL);
	size_t n = real_base ? strlen(real_base) : 0;

	if (real_base && real_dir && strncmp(real_dir, real_base, n) == 0 && real_dir[n] == '/' &&
		!strchr(real_dir + n + 1, '/'))
		memmove(real_dir, real_dir + n + 1, strlen(real_dir + n + 1) + 1);
	return real_dir;
}

int dh_trace_list_set_latest(const char *base, const char *dir, struct dh_error *err)
{
	DH_FREE char *link = dh_asprintf("%s/" LATEST, base_or_default(base));
	DH_FREE char *tmp = dh_asprintf("%s/." LATEST ".%d", base_or_default(base), (int)getpid());
	DH_FREE char *target = NULL;
	int r = dh_mkdir_p(base_or_default(base), 0755, err);

	if (r < 0)
		return r;
	target = link_target(base_or_default(base), dir);
	if (!target)
		return dh_error_set(err, errno, "%s: %s", dir, strerror(errno));
	/* A new link moved over the old one: at every moment there is one. */
	if ((unlink(tmp) < 0 && errno != ENOENT) || symlink(target, tmp) < 0)
		return dh_error_set(err, errno, "%s: %s", tmp, strerror(errno));
	if (rename(tmp, link) < 0) {
		r = dh_error_set(err, errno, "%s: %s", link, strerror(errno));
		unlink(tmp);
		return r;
	}
	return 0;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int resolve_latest(const char *base, char **ret_dir, struct dh_error *err)
{
	DH_FREE char *link = dh_asprintf("%s/" LATEST, base);
	char target[PATH_MAX];
	ssize_t n = readlink(link, target, sizeof(target) - 1);
	char *dir;

	if (n < 0)
		return dh_error_set(err, ENOENT,
			"no recording in %s: make one with 'deadheat record -- PROGRAM' or name "
			"its "
			"directory",
			base);
	target[n] = '\0';
	/* Named by what it points to, so that messages and commands stay right later. */
	dir = target[0] == '/' ? dh_strdup(target) : dh_asprintf("%s/%s", base, target);
	if (!is_dir(dir)) {
		dh_error_set(err, ENOENT, "%s: the latest recording is gone; name another", dir);
		free(dir);
		return -ENOENT;
	}
	*ret_dir = dir;
	return 0;
}

int dh_trace_list_resolve(const char *base, const char *which, char **ret_dir, struct dh_error *err)
{
	char *dir;

	base = base_or_default(base);
	if (!which || (strcmp(which, LATEST) == 0 && !is_dir(which)))
		return resolve_latest(base, ret_dir, err);
	if (is_dir(which)) {
		*ret_dir = dh_strdup(which);
		return 0;
	}
	dir = dh_asprintf("%s/%s", base, which);
	if (!strchr(which, '/') && is_dir(dir)) {
		*ret_dir = dir;
		return 0;
	}
	free(dir);
	return dh_error_set(
		err, ENOENT, "%s: no recording there, and none of that name in %s", which, base);
}
