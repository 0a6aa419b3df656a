/* A file that is mapped shared changes in all ways that calls have. */
#include "t.h"
#include <sys/sendfile.h>

static char *m;
static int fd;

static void show(const char *what)
{
	say("%s %016" PRIx64 " %016" PRIx64 "\n", what, t_hash(m, 4096), t_hash(m + 4096, 4096));
}

static void fill(int other)
{
	char bytes[8192];

	t_fill_random(bytes, sizeof(bytes));
	CHECK(pwrite(other, bytes, sizeof(bytes), 0) == sizeof(bytes));
}

static void copies(void)
{
	int other = TRY(memfd_create("other", 0)), p[2];
	off_t from = 0, to = 100;

	fill(other);
	if (copy_file_range(other, &from, fd, &to, 200, 0) < 0)
		CHECK(errno == EXDEV || errno == EINVAL || errno == ENOSYS);
	show("copied");
	from = 300;
	CHECK(lseek(fd, 4096, SEEK_SET) == 4096);
	CHECK(sendfile(fd, other, &from, 500) == 500);
	show("sent");
	TRY(pipe(p));
	CHECK(write(p[1], &from, sizeof(from)) == sizeof(from));
	to = 2000;
	CHECK(splice(p[0], NULL, fd, &to, sizeof(from), 0) == sizeof(from));
	show("spliced");
}

int main(void)
{
	t_tmp();
	fd = TRY(open("f", O_RDWR | O_CREAT, 0600));
	fill(fd);
	m = TRY(mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	show("filled");
	copies();
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0)
		CHECK(m[5] == 0);
	show("punched");
	TRY(ftruncate(fd, 5000));
	TRY(ftruncate(fd, 8192));
	show("cut");
	TRY(close(TRY(open("f", O_RDWR | O_TRUNC))));
	TRY(ftruncate(fd, 8192));
	show("emptied");
	CHECK(m[0] == 0 && m[4096] == 0);
	return 0;
}
