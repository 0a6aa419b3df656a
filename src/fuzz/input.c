#include "fuzz/input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/program.h"

#define MAX_STDIN   ((size_t)1 << 30)
#define SILENCE_MS  1000
#define MAX_PROGRAM ((size_t)1 << 30)

/* A pipe that nobody writes to must not hold everything up. */
static bool silent(int fd, const struct stat *st)
{
	struct pollfd p = {fd, POLLIN, 0};

	return !S_ISREG(st->st_mode) && poll(&p, 1, SILENCE_MS) <= 0;
}

int dh_fuzz_input_take(int fd, struct dh_fuzz_input *ret, struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	DH_FD int file = -1;
	struct stat st;
	int r;

	if (fstat(fd, &st) < 0 || isatty(fd) || S_ISCHR(st.st_mode) || silent(fd, &st))
		return 0;
	r = dh_read_fd(fd, MAX_STDIN, &text);
	if (r < 0)
		return dh_error_set(err, -r, "cannot read standard input: %s", strerror(-r));
	if (!text.len)
		return 0;
	file = memfd_create("deadheat-stdin", MFD_CLOEXEC);
	if (file < 0 || dh_write_full(file, text.data, text.len) < 0)
		return dh_error_set(err, errno, "cannot keep standard input: %s", strerror(errno));
	*ret = (struct dh_fuzz_input){file, XXH3_64bits(text.data, text.len), text.len};
	file = -1;
	return 0;
}

void dh_fuzz_input_release(struct dh_fuzz_input *in)
{
	dh_closep(&in->fd);
	*in = DH_FUZZ_INPUT_INIT;
}

uint64_t dh_program_hash(const struct dh_program *p)
{
	DH_BUF struct dh_buf file = DH_BUF_INIT;

	return dh_read_file(p->path, MAX_PROGRAM, &file, NULL) < 0
		       ? 0
		       : XXH3_64bits(dh_buf_str(&file), file.len);
}
