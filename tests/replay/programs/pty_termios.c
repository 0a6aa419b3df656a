/* termios: raw mode, VMIN and VTIME, special characters, speeds. */
#include "t.h"
#include <pty.h>
#include <termios.h>

int main(void)
{
	struct termios t, raw;
	char buf[64];
	uint64_t start;
	ssize_t n;
	int m, s;

	TRY(openpty(&m, &s, NULL, NULL, NULL));
	TRY(tcgetattr(s, &t));
	say("iflag %x oflag %x cflag %x lflag %x intr %d\n", t.c_iflag, t.c_oflag, t.c_cflag,
		t.c_lflag, t.c_cc[VINTR]);
	CHECK(write(m, "ab\177c\n", 5) == 5); /* erase works in cooked mode */
	n = TRY(read(s, buf, sizeof(buf)));
	CHECK(n == 3 && memcmp(buf, "ac\n", 3) == 0);
	raw = t;
	cfmakeraw(&raw);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 1;
	TRY(cfsetspeed(&raw, B38400));
	TRY(tcsetattr(s, TCSAFLUSH, &raw));
	CHECK(write(m, "\177\3\4", 3) == 3);
	n = TRY(read(s, buf, sizeof(buf)));
	CHECK(n == 3 && buf[1] == 3);
	start = t_now_ns();
	CHECK(read(s, buf, sizeof(buf)) == 0);
	say("VTIME ran out after %lu ns\n", t_now_ns() - start);
	TRY(tcflush(s, TCIOFLUSH));
	TRY(tcdrain(s));
	TRY(tcsetattr(s, TCSANOW, &t));
	return 0;
}
