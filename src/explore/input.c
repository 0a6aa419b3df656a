#include "explore/input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"

#define INPUT_MAX (256u << 20)
/* A pipe that nobody writes to would keep us waiting for ever. */
#define FIRST_BYTE_MS 1000

static bool has_input(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0 || isatty(STDIN_FILENO) || S_ISCHR(st.st_mode))
		return false;
	return S_ISREG(st.st_mode) || poll(&p, 1, FIRST_BYTE_MS) > 0;
}

int dh_input_take(struct dh_buf *ret, char **ret_path, struct dh_error *err)
{
	int r, fd;

	*ret_path = NULL;
	if (!has_input())
		return 0;
	r = dh_read_fd(STDIN_FILENO, INPUT_MAX, ret);
	if (r < 0)
		return dh_error_set(err, -r, "standard input: %s", strerror(-r));
	if (!ret->len)
		return 0;
	fd = memfd_create("deadheat-input", MFD_CLOEXEC); /* lives as long as we do */
	r = fd < 0 ? -errno : dh_write_full(fd, ret->data, ret->len);
	if (r < 0)
		return dh_error_set(err, -r, "standard input cannot be kept: %s", strerror(-r));
	*ret_path = dh_asprintf("/proc/self/fd/%d", fd);
	return 0;
}

int dh_input_keep(const char *recording, const struct dh_buf *input, struct dh_error *err)
{
	DH_FREE char *dir = dh_asprintf("%s/explore", recording);
	DH_FREE char *path = dh_asprintf("%s/input", dir);
	int r;

	if (!input->len)
		return 0;
	r = dh_mkdir_p(dir, 0755, err);
	return r < 0 ? r : dh_write_file_unsynced(path, input->data, input->len, err);
}

char *dh_input_of(const char *recording)
{
	char *path = dh_asprintf("%s/explore/input", recording);

	if (access(path, R_OK) == 0)
		return path;
	dh_freep(&path);
	return NULL;
}
