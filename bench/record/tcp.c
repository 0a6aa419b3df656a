/* The two network workloads: a server that a benchmark records, and the client that loads it.
 *
 *   bench_tcp serve FILE           listens on loopback, writes its port into FILE, serves one
 *                                  client after another until one of them says stop
 *   bench_tcp stream PORT BYTES    sends so many bytes, waits until all are taken
 *   bench_tcp ping PORT COUNT      sends one byte and waits for it to come back, so many times
 *   bench_tcp stop PORT
 *
 * The first byte of a connection says which of these it is. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char block[65536];

__attribute__((noreturn)) static void fail(const char *what)
{
	fprintf(stderr, "bench_tcp: %s: %s\n", what, strerror(errno));
	exit(3);
}

static struct sockaddr_in loopback(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static void no_delay(int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static void serve_pings(int fd)
{
	ssize_t n;
	char c;

	while ((n = read(fd, &c, 1)) == 1)
		if (write(fd, &c, 1) != 1)
			fail("write");
}

static void serve_stream(int fd)
{
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0)
		continue;
	if (n < 0 || write(fd, "k", 1) != 1)
		fail("stream");
}

static int listening(const char *file)
{
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	FILE *f;

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 || listen(fd, 8) < 0 ||
		getsockname(fd, (struct sockaddr *)&a, &len) < 0)
		fail("listen");
	f = fopen(file, "we");
	if (!f || fprintf(f, "%d\n", ntohs(a.sin_port)) < 0 || fclose(f) != 0)
		fail(file);
	return fd;
}

static void serve(const char *file)
{
	int l = listening(file);

	for (;;) {
		int fd = accept(l, NULL, NULL);
		char what;

		if (fd < 0 || read(fd, &what, 1) != 1)
			fail("accept");
		no_delay(fd);
		if (what == 'p')
			serve_pings(fd);
		else if (what == 's')
			serve_stream(fd);
		else
			return;
		close(fd);
	}
}

static int dial(int port, char what)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0 || write(fd, &what, 1) != 1)
		fail("connect");
	no_delay(fd);
	return fd;
}

static void stream(int port, long bytes)
{
	int fd = dial(port, 's');
	char c;

	for (ssize_t n; bytes > 0; bytes -= n) {
		n = write(fd, block, bytes < (long)sizeof(block) ? (size_t)bytes : sizeof(block));
		if (n <= 0)
			fail("write");
	}
	shutdown(fd, SHUT_WR);
	if (read(fd, &c, 1) != 1)
		fail("read");
}

static void ping(int port, long count)
{
	int fd = dial(port, 'p');
	char c = 'x';

	while (count-- > 0)
		if (write(fd, &c, 1) != 1 || read(fd, &c, 1) != 1)
			fail("ping");
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "serve") == 0) {
		serve(argv[2]);
	} else if (argc == 4 && strcmp(argv[1], "stream") == 0) {
		stream(atoi(argv[2]), atol(argv[3]));
	} else if (argc == 4 && strcmp(argv[1], "ping") == 0) {
		ping(atoi(argv[2]), atol(argv[3]));
	} else if (argc == 3 && strcmp(argv[1], "stop") == 0) {
		close(dial(atoi(argv[2]), 'q'));
	} else {
		fputs("usage: bench_tcp serve FILE | stream PORT BYTES | ping PORT COUNT | stop "
		      "PORT\n",
			stderr);
		return 2;
	}
	return 0;
}
