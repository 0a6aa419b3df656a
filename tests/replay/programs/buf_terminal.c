/* Lines that come over a terminal, with its signals; and a server that waits for its clients. */
#include "buf.h"
#include <netinet/in.h>
#include <pty.h>
#include <sys/ioctl.h>

static volatile sig_atomic_t got;

static void on_signal(int sig)
{
	(void)sig;
	got++;
}

/* The terminal is its own, so that it gets the signals. */
static void reader(int slave)
{
	char buf[128];
	ssize_t n;

	TRY(setsid());
	TRY(ioctl(slave, TIOCSCTTY, 0));
	while ((n = read(slave, buf, sizeof(buf))) != 0) {
		if (n < 0)
			CHECK(errno == EINTR);
		else
			say("%.*s", (int)n, buf);
		CHECK(write(slave, "ok\n", 3) == 3);
	}
	say("interrupted %d times\n", (int)got);
	_exit(0);
}

static void lines(void)
{
	int master, slave;
	pid_t pid;

	TRY(openpty(&master, &slave, NULL, NULL, NULL));
	t_on(SIGINT, on_signal, 0);
	pid = TRY(fork());
	if (!pid)
		reader(slave);
	for (int i = 0; i < 12; i++) {
		char line[32];
		int n = snprintf(line, sizeof(line), "line %u\n", t_rand_in(0, 999));

		t_sleep_us(t_rand_in(0, 2000));
		if (i % 4 == 3)
			CHECK(write(master, "\003", 1) == 1); /* SIGINT */
		CHECK(write(master, line, (size_t)n) == n);
	}
	t_sleep_us(1000);
	CHECK(write(master, "\004", 1) == 1);
	t_say_status("reader", t_wait(pid));
}

static void client(const struct sockaddr_in *a, int i)
{
	int fd = TRY(socket(AF_INET, SOCK_STREAM, 0));

	t_sleep_us(t_rand_in(0, 2000));
	TRY(connect(fd, (const struct sockaddr *)a, sizeof(*a)));
	CHECK(write(fd, &i, sizeof(i)) == sizeof(i));
	_exit(0);
}

static void server(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET}, peer;
	socklen_t len = sizeof(a);
	int l = TRY(socket(AF_INET, SOCK_STREAM, 0)), n;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	TRY(bind(l, (struct sockaddr *)&a, sizeof(a)));
	TRY(listen(l, 8));
	TRY(getsockname(l, (struct sockaddr *)&a, &len));
	for (int i = 0; i < 8; i++) {
		pid_t pid = TRY(fork());
		int fd;

		if (!pid)
			client(&a, i);
		len = sizeof(peer);
		fd = TRY(accept(l, (struct sockaddr *)&peer, &len));
		CHECK(read(fd, &n, sizeof(n)) == sizeof(n) && n == i);
		say("client %d from port %d\n", n, ntohs(peer.sin_port));
		TRY(close(fd));
		CHECK(t_wait(pid) == 0);
	}
}

int main(void)
{
	lines();
	server();
	return 0;
}
