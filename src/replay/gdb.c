#include "replay/gdb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTERRUPT 0x03

/* gdb's number of each Linux signal up to 31; 143 is its name for "unknown". */
static const uint8_t gdb_signal[32] = {0, 1, 2, 3, 4, 5, 6, 10, 8, 9, 30, 11, 31, 13, 14, 15, 143,
	20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28, 23, 32, 12};

int dh_gdb_signal_to(int sig)
{
	if (sig >= 0 && sig < 32)
		return gdb_signal[sig];
	if (sig == 32)
		return 77;
	if (sig == 64)
		return 78;
	return sig > 32 && sig < 64 ? 45 + sig - 33 : 143;
}

int dh_gdb_signal_from(int sig)
{
	for (int i = 1; i <= 64; i++) {
		if (dh_gdb_signal_to(i) == sig)
			return i;
	}
	return 0;
}

void dh_gdb_add_hex(struct dh_buf *b, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *bytes = p;

	for (size_t i = 0; i < n; i++) {
		dh_buf_addc(b, digits[bytes[i] >> 4]);
		dh_buf_addc(b, digits[bytes[i] & 15]);
	}
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool dh_gdb_take_hex(const char **at, uint64_t *ret)
{
	uint64_t v = 0;
	int n = 0;

	for (; digit(**at) >= 0; n++, (*at)++)
		v = v << 4 | (uint64_t)digit(**at);
	if (n == 0 || n > 16)
		return false;
	*ret = v;
	return true;
}

int dh_gdb_take_bytes(const char *at, struct dh_buf *ret)
{
	for (; *at; at += 2) {
		int high = digit(at[0]), low = high < 0 ? -1 : digit(at[1]);

		if (low < 0)
			return -EINVAL;
		dh_buf_addc(ret, (char)(high << 4 | low));
	}
	return 0;
}

static int send_all(struct dh_gdb *g, const char *p, size_t n)
{
	while (n) {
		ssize_t k = send(g->fd, p, n, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return -ECANCELED;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

int dh_gdb_send(struct dh_gdb *g, const struct dh_buf *packet)
{
	DH_BUF struct dh_buf frame = DH_BUF_INIT;
	uint8_t sum = 0;

	dh_buf_addc(&frame, '$');
	dh_buf_add(&frame, packet->data, packet->len);
	for (size_t i = 0; i < packet->len; i++)
		sum = (uint8_t)(sum + (uint8_t)packet->data[i]);
	dh_buf_addf(&frame, "#%02x", sum);
	return send_all(g, frame.data, frame.len);
}

int dh_gdb_say(struct dh_gdb *g, const char *text)
{
	DH_BUF struct dh_buf packet = DH_BUF_INIT;

	dh_buf_addc(&packet, 'O');
	dh_gdb_add_hex(&packet, text, strnlen(text, DH_GDB_PACKET / 4));
	dh_gdb_add_hex(&packet, "\n", 1);
	return dh_gdb_send(g, &packet);
}

int dh_gdb_say_exit(struct dh_gdb *g, int status)
{
	DH_BUF struct dh_buf packet = DH_BUF_INIT;

	if (WIFSIGNALED(status))
		dh_buf_addf(&packet, "X%02x", (unsigned)dh_gdb_signal_to(WTERMSIG(status)));
	else
		dh_buf_addf(&packet, "W%02x", (unsigned)WEXITSTATUS(status));
	return dh_gdb_send(g, &packet);
}

static int receive(struct dh_gdb *g)
{
	for (;;) {
		ssize_t n = recv(g->fd, dh_buf_reserve(&g->in, 4096), 4096, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -ECANCELED;
		g->in.len += (size_t)n;
		return 0;
	}
}

static void drop(struct dh_gdb *g, size_t n)
{
	memmove(g->in.data, g->in.data + n, g->in.len - n);
	g->in.len -= n;
}

/* The packet at the beginning of the input, once it is whole: 1, or 0 when more must come. */
static int take_packet(struct dh_gdb *g, struct dh_buf *ret)
{
	const char *end = memchr(g->in.data, '#', g->in.len);
	uint8_t sum = 0;
	size_t n;

	if (!end || end + 3 > g->in.data + g->in.len)
		return g->in.len > DH_GDB_PACKET + 4 ? -ECANCELED : 0;
	n = (size_t)(end - g->in.data) - 1;
	for (size_t i = 0; i < n; i++)
		sum = (uint8_t)(sum + (uint8_t)g->in.data[1 + i]);
	dh_buf_clear(ret);
	dh_buf_add(ret, g->in.data + 1, n);
	if (digit(end[1]) != sum >> 4 || digit(end[2]) != (sum & 15))
		n = SIZE_MAX;
	drop(g, (size_t)(end + 3 - g->in.data));
	if (!g->no_acks && send_all(g, n == SIZE_MAX ? "-" : "+", 1) < 0)
		return -ECANCELED;
	return n == SIZE_MAX ? 0 : 1;
}

int dh_gdb_read(struct dh_gdb *g, struct dh_buf *ret)
{
	int e;

	for (;;) {
		while (g->in.len && g->in.data[0] != '$' && g->in.data[0] != INTERRUPT)
			drop(g, 1); /* acknowledgements */
		if (g->in.len && g->in.data[0] == INTERRUPT) {
			drop(g, 1);
			return 1;
		}
		e = g->in.len ? take_packet(g, ret) : 0;
		if (e != 0)
			return e < 0 ? e : 0;
		e = receive(g);
		if (e < 0)
			return e;
	}
}

/* The thread that input from gdb interrupts; 0: none runs. */
static volatile pid_t running;
static volatile sig_atomic_t sent;

static void on_input(int sig)
{
	int saved = errno;

	(void)sig;
	if (running && !sent) {
		sent = 1;
		ptrace(PTRACE_INTERRUPT, running, 0, 0);
	}
	errno = saved;
}

void dh_gdb_watch_input(struct dh_gdb *g)
{
	struct sigaction sa = {.sa_handler = on_input, .sa_flags = SA_RESTART};
	struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = gettid()};

	sigaction(SIGIO, &sa, NULL);
	fcntl(g->fd, F_SETOWN_EX, &owner);
	fcntl(g->fd, F_SETFL, fcntl(g->fd, F_GETFL) | O_ASYNC);
}

void dh_gdb_begin_run(pid_t tid)
{
	sent = 0;
	running = tid;
}

bool dh_gdb_end_run(void)
{
	bool was = sent;

	running = 0;
	sent = 0;
	return was;
}

int dh_gdb_interrupted(struct dh_gdb *g)
{
	struct pollfd p = {.fd = g->fd, .events = POLLIN};

	if (g->interrupt)
		return 1;
	while (g->in.len && g->in.data[0] != INTERRUPT && g->in.data[0] != '$')
		drop(g, 1);
	if (!g->in.len) {
		if (poll(&p, 1, 0) <= 0)
			return 0;
		if (receive(g) < 0)
			return -ECANCELED;
		return dh_gdb_interrupted(g);
	}
	/* gdb sends nothing else to a running target; a packet waits for the stop as well. */
	if (g->in.data[0] == INTERRUPT)
		drop(g, 1);
	g->interrupt = true;
	return 1;
}

void dh_gdb_clear_interrupt(struct dh_gdb *g)
{
	g->interrupt = false;
}
