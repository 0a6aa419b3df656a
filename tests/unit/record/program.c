/* What test_calls.c records: every kind of path and descriptor, often enough for the buffer to take
 * part, and with results that do not depend on time. */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 8

static void look(const char *path)
{
	struct stat st;

	stat(path, &st);
	lstat(path, &st);
	access(path, R_OK);
}

static void paths(void)
{
	char longer[1500], target[64];
	struct statx stx;
	struct stat st;

	look("file");
	look("./file");
	look("sub//./deep/../deep/file");
	look("../nothing/../there");
	look("missing");
	look("missing/file");
	look("file/below");
	look("link-to-dir/file");
	look("link-to-file");
	look("link-to-nothing");
	look("/");
	look("/proc/self/status");
	look(".");
	look("..");
	look("");
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	look(longer);
	for (size_t i = 0; i < sizeof(longer) - 1; i += 5)
		memcpy(longer + i, "././/", 5);
	look(longer);
	syscall(SYS_newfstatat, AT_FDCWD, (char *)8, &st, 0);
	syscall(SYS_newfstatat, AT_FDCWD, "file", (void *)8, 0);
	syscall(SYS_readlink, "link-to-file", target, sizeof(target));
	syscall(SYS_statx, AT_FDCWD, "link-to-file", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &stx);
}

static void names(void)
{
	int dir = open("sub", O_RDONLY | O_DIRECTORY);
	struct stat st;

	mkdirat(dir, "made", 0700);
	mkdirat(dir, "made", 0700);
	renameat(dir, "made", AT_FDCWD, "moved");
	symlinkat("moved", dir, "to-moved");
	fstatat(dir, "to-moved", &st, AT_SYMLINK_NOFOLLOW);
	fstatat(dir, "deep/file", &st, 0);
	fstatat(dir, "", &st, AT_EMPTY_PATH);
	fstatat(999, "file", &st, 0);
	fstatat(999, "file/x", &st, 0);
	unlinkat(dir, "to-moved", 0);
	rmdir("moved");
	link("file", "other");
	unlink("other");
	rename("file", "renamed");
	rename("link-to-dir/../renamed", "file");
	chmod("file", 0640);
	utimensat(AT_FDCWD, "file", NULL, 0);
	close(dir);
}

static void files(void)
{
	int fd = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600), other;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 3, .l_len = 4};
	char bytes[64] = "some bytes";
	struct stat st;

	for (int i = 0; i < 3; i++) {
		write(fd, bytes, sizeof(bytes));
		pwrite(fd, bytes, 7, 100 * i);
		lseek(fd, 5, SEEK_SET);
		read(fd, bytes, sizeof(bytes));
		fstat(fd, &st);
		fcntl(fd, F_SETLK, &lock);
		lock.l_type = lock.l_type == F_UNLCK ? F_RDLCK : F_UNLCK;
		fcntl(fd, F_GETFL);
	}
	other = open("data", O_RDONLY);
	unlink("data");
	read(other, bytes, sizeof(bytes));
	fstat(other, &st);
	ftruncate(fd, 17);
	flock(fd, LOCK_EX);
	dup2(fd, other);
	read(other, bytes, sizeof(bytes));
	close(other);
	read(other, bytes, sizeof(bytes));
	close(fd);
	close(fd);
	open("missing", O_RDONLY);
	open("missing/x", O_CREAT | O_WRONLY, 0600);
	close(open("link-to-file", O_RDONLY));
	close(open("fresh", O_CREAT | O_EXCL | O_WRONLY, 0600));
	unlink("fresh");
}

static void streams(void)
{
	char bytes[64];
	int pair[2], sock[2];
	pid_t child;

	if (pipe(pair) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sock) < 0)
		exit(1);
	child = fork();
	if (child == 0) {
		close(pair[1]);
		close(sock[0]);
		while (read(pair[0], bytes, 3) > 0)
			write(sock[1], "x", 1);
		_exit(3);
	}
	close(pair[0]);
	close(sock[1]);
	for (int i = 0; i < 6; i++) {
		write(pair[1], "abc", 3);
		read(sock[0], bytes, 1);
	}
	close(pair[1]);
	wait(NULL);
	close(sock[0]);
}

static void handle(int sig)
{
	(void)sig;
}

static void others(void)
{
	int fd = open("file", O_RDONLY);
	void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

	munmap(p, 4096);
	p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p, 4096);
	signal(SIGUSR1, handle);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR1, SIG_DFL);
	(void)getpid();
	(void)getppid();
	(void)umask(022);
	chdir("sub");
	look("deep/file");
	chdir("..");
	fchdir(fd);
	close(fd);
}

/* In a directory that is not there any more. */
static void nowhere(void)
{
	mkdir("gone", 0700);
	chdir("gone");
	rmdir("../gone");
	look("x");
	look("../file");
	chdir("..");
}

int program(const char *dir)
{
	if (chdir(dir) < 0)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		paths();
		names();
		files();
		streams();
		others();
		nowhere();
		if (chdir(dir) < 0)
			return 1;
	}
	return 0;
}
