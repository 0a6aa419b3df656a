/* Files, directories, attributes, mounts. */
#include "probe.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>

static int new_file(const char *name, const char *text)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static uint64_t two_vectors(uint64_t a, size_t n_a, uint64_t b, size_t n_b)
{
	struct iovec v[2] = {{probe_at(a), n_a}, {probe_at(b), n_b}};

	return probe_put(v, sizeof(v));
}

static void reading(int64_t fd)
{
	uint64_t buf = probe_room(200), v = two_vectors(probe_room(5), 5, probe_room(100), 100);

	OK(lseek, fd, 0, SEEK_SET);
	OK_BYTES(11, read, fd, buf, 200);
	OK_BYTES(0, read, fd, buf, 200);
	OK_BYTES(4, pread64, fd, buf, 4, 2);
	OK(lseek, fd, 0, SEEK_SET);
	OK_BYTES(11, readv, fd, v, 2);
	OK_BYTES(9, preadv, fd, v, 2, 2);
	OK_BYTES(11, preadv2, fd, v, 2, 0, 0, 0);
	assert_int_equal(CALL(read, (uint64_t)-1, buf, 10), -EBADF);
	assert_int_equal(CALL(readv, fd, v, 5000), -EINVAL);
}

void outputs_of_files(void **state)
{
	uint64_t name = probe_str("file"), data = probe_str("hello world");
	uint64_t v = two_vectors(data, 5, data + 5, 6), how;
	int64_t fd = OK(open, name, O_RDWR | O_CREAT, 0644);

	OK_BYTES(0, write, fd, data, 11);
	OK(pwrite64, fd, data, 11, 0);
	OK(lseek, fd, 0, SEEK_SET);
	OK(writev, fd, v, 2);
	OK(pwritev, fd, v, 2, 0);
	OK(pwritev2, fd, v, 2, 0, 0, 0);
	reading(fd);
	OK(fsync, fd);
	OK(fdatasync, fd);
	OK(readahead, fd, 0, 4096);
	OK(fadvise64, fd, 0, 0, POSIX_FADV_NORMAL);
	OK(sync_file_range, fd, 0, 0, 0);
	OK(ftruncate, fd, 100);
	OK(truncate, name, 50);
	CALL(fallocate, fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	OK(close, fd);
	how = NEW_STRUCT(struct open_how, .flags = O_RDONLY);
	OK(close, OK(openat2, (uint64_t)AT_FDCWD, name, how, sizeof(struct open_how)));
	OK(close, OK(openat, (uint64_t)AT_FDCWD, name, O_RDONLY));
	OK(close, OK(creat, name, 0600));
	OK(close, OK(memfd_create, name, 0));
}

void outputs_of_attributes(void **state)
{
	uint64_t name = probe_str("file"), st = probe_room(sizeof(struct stat));
	uint64_t sx = probe_room(sizeof(struct statx)), fs = probe_room(sizeof(struct statfs));
	uint64_t at = (uint64_t)AT_FDCWD, times = probe_put((uint64_t[4]){1, 2, 3, 4}, 32);
	int fd = new_file("file", "hello");
	struct stat s;

	OK_BYTES(144, stat, name, st);
	OK_BYTES(144, lstat, name, st);
	OK_BYTES(144, fstat, fd, st);
	OK_BYTES(144, newfstatat, at, name, st, 0);
	OK_BYTES(256, statx, at, name, 0, STATX_BASIC_STATS, sx);
	OK_BYTES(120, statfs, name, fs);
	OK_BYTES(120, fstatfs, fd, fs);
	assert_int_equal(fstat(fd, &s), 0);
	CALL(ustat, s.st_dev, probe_room(32));
	CALL(file_getattr, at, name, probe_room(24), 24, 0);
	OK(access, name, R_OK);
	OK(faccessat, at, name, R_OK);
	CALL(faccessat2, at, name, R_OK, 0);
	OK(chmod, name, 0600);
	OK(fchmod, fd, 0644);
	OK(fchmodat, at, name, 0600);
	CALL(fchmodat2, at, name, 0600, 0);
	OK(chown, name, getuid(), getgid());
	OK(lchown, name, getuid(), getgid());
	OK(fchown, fd, getuid(), getgid());
	OK(fchownat, at, name, getuid(), getgid(), 0);
	OK(utimensat, at, name, times, 0);
	OK(utimes, name, times);
	OK(utime, name, times);
	OK(futimesat, at, name, times);
	OK(umask, OK(umask, 022));
	assert_int_equal(CALL(stat, probe_str("absent"), st), -ENOENT);
	close(fd);
}

static void listing(void)
{
	int64_t fd = OK(openat, (uint64_t)AT_FDCWD, probe_str("."), O_RDONLY | O_DIRECTORY);
	uint64_t buf = probe_room(1024);

	assert_true(OK(getdents64, fd, buf, 1024) > 0);
	OK_BYTES(0, getdents64, fd, buf, 1024);
	OK(lseek, fd, 0, SEEK_SET);
	assert_true(OK(getdents, fd, buf, 1024) > 0);
	OK(fchdir, fd);
	OK(close, fd);
}

void outputs_of_directories(void **state)
{
	uint64_t name = probe_str("name"), other = probe_str("other"), buf = probe_room(300);
	uint64_t at = (uint64_t)AT_FDCWD;

	OK(mkdir, name, 0755);
	OK(mkdirat, at, other, 0755);
	OK(rmdir, other);
	OK(symlink, other, probe_str("link"));
	OK(symlinkat, other, at, probe_str("link2"));
	OK_BYTES(5, readlink, probe_str("link"), buf, 100);
	OK_BYTES(3, readlink, probe_str("link"), buf, 3);
	OK_BYTES(5, readlinkat, at, probe_str("link2"), buf, 100);
	assert_int_equal(CALL(readlink, name, buf, 100), -EINVAL);
	OK(mknod, probe_str("fifo"), S_IFIFO | 0600, 0);
	OK(mknodat, at, probe_str("fifo2"), S_IFIFO | 0600, 0);
	OK(link, probe_str("fifo"), other);
	OK(linkat, at, other, at, probe_str("third"), 0);
	OK(rename, other, probe_str("fourth"));
	OK(renameat, at, probe_str("fourth"), at, other);
	OK(renameat2, at, other, at, probe_str("fourth"), 1);
	OK(unlink, probe_str("third"));
	OK(unlinkat, at, probe_str("fourth"), 0);
	listing();
	OK(chdir, name);
	assert_true(OK(getcwd, buf, 300) > 1);
	assert_int_equal(CALL(getcwd, buf, 3), -ERANGE);
	OK(chdir, probe_str(".."));
}

void outputs_of_copies(void **state)
{
	int in = new_file("in", "some text to copy, in pieces"), out = new_file("out", ""), p[2],
	    q[2];
	uint64_t off = probe_put(&(uint64_t){5}, 8), off2 = probe_put(&(uint64_t){0}, 8);
	uint64_t v = two_vectors(probe_room(4), 4, probe_room(8), 8);

	assert_true(pipe(p) == 0 && pipe(q) == 0);
	OK_BYTES(8, sendfile, out, in, off, 4);
	OK(sendfile, out, in, 0, 4);
	OK(copy_file_range, in, off, out, off2, 4, 0);
	OK(splice, in, off, p[1], 0, 6, 0);
	OK(tee, p[0], q[1], 6, 0);
	/* Out of a pipe vmsplice writes memory, into it it reads. */
	OK_BYTES(6, vmsplice, q[0], v, 2, 0);
	OK(splice, p[0], 0, out, off2, 6, 0);
	CALL(vmsplice, p[1], v, 2, 0);
	assert_int_equal(CALL(splice, (uint64_t)-1, off, p[1], 0, 6, 0), -EBADF);
	for (int i = 0; i < 2; i++) {
		close(p[i]);
		close(q[i]);
	}
	close(in);
	close(out);
}

void outputs_of_extended_attributes(void **state)
{
	uint64_t name = probe_str("file"), key = probe_str("user.a"), value = probe_str("value");
	uint64_t buf = probe_room(100), at = (uint64_t)AT_FDCWD;
	struct {
		uint64_t value;
		uint32_t size, flags;
	} args = {buf, 100, 0};
	uint64_t packed = probe_put(&args, sizeof(args));
	int fd = new_file("file", "x");

	if (CALL(setxattr, name, key, value, 5, 0) < 0)
		key = probe_str("security.a"); /* older tmpfs knows no user attributes */
	if (CALL(setxattr, name, key, value, 5, 0) < 0)
		return;
	OK_BYTES(5, getxattr, name, key, buf, 100);
	OK_BYTES(0, getxattr, name, key, 0, 0);
	OK_BYTES(5, lgetxattr, name, key, buf, 100);
	OK_BYTES(5, fgetxattr, fd, key, buf, 100);
	assert_true(OK(listxattr, name, buf, 100) > 0);
	assert_true(OK(llistxattr, name, buf, 100) > 0);
	assert_true(OK(flistxattr, fd, buf, 100) > 0);
	OK_BYTES(0, flistxattr, fd, 0, 0);
	assert_int_equal(CALL(getxattr, name, key, buf, 2), -ERANGE);
	if (CALL(getxattrat, at, name, 0, key, packed, sizeof(args)) >= 0)
		assert_int_equal(probe_bytes(), 5);
	CALL(listxattrat, at, name, 0, buf, 100);
	OK(lsetxattr, name, key, value, 4, 0);
	OK(fsetxattr, fd, key, value, 4, 0);
	OK(removexattr, name, key);
	CALL(setxattrat, at, name, 0, key, NEW_STRUCT(typeof(args), value, 5, 0), sizeof(args));
	CALL(removexattrat, at, name, 0, key);
	close(fd);
}

static void locks(int64_t fd)
{
	uint64_t lock = NEW_STRUCT(struct flock, .l_type = F_WRLCK, .l_len = 1);

	OK(fcntl, fd, F_SETLK, lock);
	OK(fcntl, fd, F_GETLK, lock);
	OK(fcntl, fd, F_OFD_GETLK, NEW_STRUCT(struct flock, .l_type = F_WRLCK, .l_len = 1));
	OK(flock, fd, 1);
}

void outputs_of_descriptors(void **state)
{
	int64_t fd = OK(openat, (uint64_t)AT_FDCWD, probe_str("file"), O_RDWR | O_CREAT, 0644);
	uint64_t pair = probe_room(8), word = probe_room(8);

	OK_BYTES(8, pipe, pair);
	OK(fcntl, *(int *)probe_at(pair), F_GETPIPE_SZ);
	close(((int *)probe_at(pair))[0]);
	close(((int *)probe_at(pair))[1]);
	OK_BYTES(8, pipe2, pair, O_CLOEXEC);
	close(((int *)probe_at(pair))[0]);
	close(((int *)probe_at(pair))[1]);
	OK(close, OK(dup, fd));
	OK(close, OK(dup2, fd, 90));
	OK(close, OK(dup3, fd, 90, O_CLOEXEC));
	OK(fcntl, fd, F_GETFL);
	OK(fcntl, fd, F_SETFD, FD_CLOEXEC);
	OK(close, OK(fcntl, fd, F_DUPFD_CLOEXEC, 20));
	OK(fcntl, fd, F_SETOWN_EX, NEW_STRUCT(struct f_owner_ex, F_OWNER_PID, getpid()));
	OK_BYTES(8, fcntl, fd, F_GETOWN_EX, word);
	OK_BYTES(8, fcntl, fd, F_GET_RW_HINT, word);
	assert_int_equal(CALL(fcntl, fd, 12345, word), -EINVAL);
	locks(fd);
	CALL(cachestat, fd, probe_put((uint64_t[2]){0, 4096}, 16), probe_room(40), 0);
	CALL(close_range, 500, 600, 0);
	OK(close, fd);
}

void outputs_of_mounts(void **state)
{
	uint64_t handle = probe_room(8 + 128), id = probe_room(8), list = probe_room(800);
	/* struct mnt_id_req for the root of all mounts. */
	uint64_t req = probe_put((uint64_t[3]){24, UINT64_MAX, 0}, 24);

	memset(probe_at(handle), 0, 4);
	assert_true(CALL(name_to_handle_at, (uint64_t)AT_FDCWD, probe_str("/"), handle, id, 0) < 0);
	*(uint32_t *)probe_at(handle) = 128;
	CALL(name_to_handle_at, (uint64_t)AT_FDCWD, probe_str("/proc"), handle, id, 0);
	if (CALL(listmount, req, list, 100, 0) >= 0) {
		uint64_t one[3] = {24, *(uint64_t *)probe_at(list), 0x1 | 0x2 | 0x8 | 0x20};

		CALL(statmount, probe_put(one, sizeof(one)), probe_room(1000), 1000, 0);
	}
	CALL(sysfs, 1, probe_str("proc"));
	CALL(sysfs, 2, 0, probe_room(200));
	CALL(sysfs, 3);
	CALL(quotactl, 0x80000700, probe_str("/dev/null"), 0, probe_room(200));
}
