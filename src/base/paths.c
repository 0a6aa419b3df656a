#include "base/paths.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"

/* Takes path into ret when the file is there and the name fits. */
static bool found(const char *path, char *ret, size_t size)
{
	return access(path, R_OK) == 0 && (size_t)snprintf(ret, size, "%s", path) < size;
}

int dh_runtime_file(const char *dir, const char *file, char *ret, size_t size, struct dh_error *err)
{
	char self[1024], built[2048], installed[2048];
	int r = dh_self_dir(self, sizeof(self));

	if (r < 0)
		return dh_error_set(err, -r, "cannot tell where deadheat itself is");
	snprintf(built, sizeof(built), "%s/runtime/%s/%s", self, dir, file);
	/* DH_RUNTIMES_FROM_BIN: from the installed program's folder to that of the runtimes. */
	snprintf(installed, sizeof(installed), "%s/" DH_RUNTIMES_FROM_BIN "/%s", self, file);
	if (found(built, ret, size) || found(installed, ret, size))
		return 0;
	return dh_error_set(err, ENOENT,
		"the runtime '%s' is missing, neither %s nor %s is there; install deadheat again",
		dir, built, installed);
}

int dh_runtime_path(const char *name, char *ret, size_t size, struct dh_error *err)
{
	char file[256];

	snprintf(file, sizeof(file), "libdeadheat-%s.so", name);
	return dh_runtime_file(name, file, ret, size, err);
}

int dh_helper_path(const char *name, char *ret, size_t size, struct dh_error *err)
{
	char self[1024], built[2048], installed[2048];
	int r = dh_self_dir(self, sizeof(self));

	if (r < 0)
		return dh_error_set(err, -r, "cannot tell where deadheat itself is");
	snprintf(built, sizeof(built), "%s/%s", self, name);
	snprintf(installed, sizeof(installed), "%s/" DH_RUNTIMES_FROM_BIN "/%s", self, name);
	if (found(built, ret, size) || found(installed, ret, size))
		return 0;
	return dh_error_set(err, ENOENT,
		"the program '%s' is missing, neither %s nor %s is there; install deadheat again",
		name, built, installed);
}
