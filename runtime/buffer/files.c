/* Descriptors: what is known of them, opening and closing. */
#include "buffer.h"

#include <asm/ioctls.h>
#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#define TERMIOS_LEN 36 /* the kernel's own struct */

uint8_t dh_fd_class(uint64_t fd)
{
	return (uint32_t)fd < DH_BUFFER_FDS ? AREA->fd[(uint32_t)fd] : DH_BUFFER_FD_STOPS;
}

void dh_fd_set_class(uint64_t fd, uint8_t class)
{
	if ((uint32_t)fd < DH_BUFFER_FDS)
		AREA->fd[(uint32_t)fd] = class;
}

bool dh_fd_nonblocking(uint64_t fd)
{
	long flags = dh_raw3(__NR_fcntl, fd, F_GETFL, 0);

	return flags > 0 && (flags & O_NONBLOCK);
}

static bool is_good_fs(uint64_t fd, uint64_t dev)
{
	struct statfs fs;

	if (dev == AREA->good_dev)
		return true;
	if (dh_raw2(__NR_fstatfs, fd, &fs) < 0 || !dh_buffer_good_fs((uint64_t)fs.f_type))
		return false;
	AREA->good_dev = dev;
	return true;
}

static bool is_shared(const struct stat *st)
{
	if (AREA->n_shared > DH_BUFFER_SHARED)
		return true;
	for (unsigned i = 0; i < AREA->n_shared; i++) {
		if (AREA->shared[i].dev == st->st_dev && AREA->shared[i].ino == st->st_ino)
			return true;
	}
	return false;
}

static void classify(uint64_t fd, const struct stat *st)
{
	if (!AREA->own_files)
		return;
	if (!is_good_fs(fd, st->st_dev))
		dh_fd_set_class(fd, DH_BUFFER_FD_STOPS);
	else
		dh_fd_set_class(fd, is_shared(st) ? DH_BUFFER_FD_SHARED : DH_BUFFER_FD_FILE);
}

static bool is_plain(const struct stat *st)
{
	uint32_t type = st->st_mode & S_IFMT;

	return type == S_IFREG || type == S_IFDIR;
}

/* Opening a FIFO or a device may wait.  What exists already is looked at first; what it turns into
 * meanwhile is opened without waiting, and given back if it is not a plain file after all. */
static long open_file(struct dh_call *c, uint64_t dir, uint64_t path, uint64_t flags, uint64_t mode)
{
	bool fresh = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	bool certain = fresh || (flags & (O_PATH | O_DIRECTORY | O_NONBLOCK));
	struct stat st;
	long r, fd;

	/* Emptying a file that is mapped changes memory, which is the tracer's to see. */
	if (!dh_ring_room(0) || ((flags & O_TRUNC) && AREA->n_shared))
		return DH_LEAVE;
	if (!certain) {
		r = dh_raw4(__NR_newfstatat, dir, path, &st,
			flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0);
		if (r == ERR(ENOENT) && !(flags & O_CREAT))
			return r; /* it is what opening would say */
		if (r == 0 ? !is_plain(&st) : r != ERR(ENOENT))
			return DH_LEAVE;
	}
	fd = dh_raw4(__NR_openat, dir, path, certain ? flags : flags | O_NONBLOCK, mode);
	if (fd == ERR(ENXIO) || fd == ERR(EAGAIN) || fd == ERR(EINTR))
		return DH_LEAVE;
	if (fd < 0 || (flags & O_PATH) || dh_raw2(__NR_fstat, fd, &st) < 0)
		return fd;
	if (!certain) {
		if (!is_plain(&st)) {
			dh_raw1(__NR_close, fd);
			return DH_LEAVE;
		}
		dh_raw3(__NR_fcntl, fd, F_SETFL, flags);
	}
	if (is_plain(&st))
		classify((uint64_t)fd, &st);
	return fd;
}

long dh_open(struct dh_call *c)
{
	return open_file(c, (uint64_t)AT_FDCWD, c->arg[0], c->arg[1], c->arg[2]);
}

long dh_openat(struct dh_call *c)
{
	return open_file(c, c->arg[0], c->arg[1], c->arg[2], c->arg[3]);
}

/* What the process was born with, and has not used. */
static bool closes_soon(uint64_t fd)
{
	struct stat st;

	if (dh_raw2(__NR_fstat, fd, &st) < 0)
		return false;
	return (st.st_mode & S_IFMT) == S_IFIFO || (is_plain(&st) && is_good_fs(fd, st.st_dev));
}

long dh_close(struct dh_call *c)
{
	uint8_t class = dh_fd_class(c->arg[0]);

	if (class == DH_BUFFER_FD_UNKNOWN && closes_soon(c->arg[0]))
		class = DH_BUFFER_FD_FILE;
	/* A terminal drains, a device may do anything. */
	if (class <= DH_BUFFER_FD_STOPS || class >= DH_BUFFER_FD_DEVICE || !dh_ring_room(0))
		return DH_LEAVE;
	dh_fd_set_class(c->arg[0], DH_BUFFER_FD_UNKNOWN);
	return dh_raw1(__NR_close, c->arg[0]); /* it is closed even when interrupted */
}

long dh_fcntl(struct dh_call *c)
{
	unsigned long out = 0;
	long r;

	switch ((uint32_t)c->arg[1]) {
	case F_GETFD:
	case F_SETFD:
	case F_GETFL:
	case F_SETFL:
	case F_SETLK:
	case F_OFD_SETLK:
		break;
	case F_GETLK:
	case F_OFD_GETLK:
		out = sizeof(struct flock);
		break;
	default:
		return DH_LEAVE;
	}
	if (!dh_ring_room(out))
		return DH_LEAVE;
	r = dh_raw3(__NR_fcntl, c->arg[0], c->arg[1], c->arg[2]);
	if (r >= 0 && out)
		dh_ring_out(c, 2, out);
	return dh_unless_interrupted(r);
}

long dh_ioctl(struct dh_call *c)
{
	unsigned long out;
	long r;

	switch ((uint32_t)c->arg[1]) {
	case FIONREAD:
		out = sizeof(int);
		break;
	case TCGETS:
		out = TERMIOS_LEN;
		break;
	case TIOCGWINSZ:
		out = 8;
		break;
	case FIONBIO:
		out = 0;
		break;
	default:
		return DH_LEAVE;
	}
	if (!dh_ring_room(out))
		return DH_LEAVE;
	r = dh_raw3(__NR_ioctl, c->arg[0], c->arg[1], c->arg[2]);
	if (r >= 0)
		dh_ring_out(c, 2, out);
	return r;
}
