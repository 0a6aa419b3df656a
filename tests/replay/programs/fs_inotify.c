/* inotify: creation, writing, moving (with its cookie), removal. */
#include "t.h"
#include <sys/inotify.h>

int main(void)
{
	char buf[4096] __attribute__((aligned(8)));
	int fd = TRY(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), wd, count = 0;
	ssize_t n;

	t_tmp();
	wd = TRY(
		inotify_add_watch(fd, ".", IN_CREATE | IN_MODIFY | IN_MOVE | IN_DELETE | IN_CLOSE));
	t_write_file("a", "x", 1);
	TRY(rename("a", "b"));
	TRY(unlink("b"));
	TRY(mkdir("sub", 0755));
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (char *p = buf; p < buf + n;) {
			struct inotify_event *e = (struct inotify_event *)p;

			say("mask %x cookie %u name %s\n", e->mask, e->cookie,
				e->len ? e->name : "-");
			p += sizeof(*e) + e->len;
			count++;
		}
	}
	CHECK(n == -1 && errno == EAGAIN && count >= 6);
	TRY(inotify_rm_watch(fd, wd));
	CHECK(read(fd, buf, sizeof(buf)) > 0);
	CHECK(((struct inotify_event *)buf)->mask & IN_IGNORED);
	return 0;
}
