/* What main does before it installs the handler cannot be interrupted by it. */
#include <signal.h>
#include <unistd.h>

static char path[16];
static int length;

static void on_exit_signal(int sig)
{
	if (length > 0)                         // NORACE
		write(2, path, (size_t)length); // NORACE
	_exit(0);
}

int main(void)
{
	for (length = 0; length < 10; length++)      // NORACE
		path[length] = (char)('a' + length); // NORACE
	signal(SIGTERM, on_exit_signal);
	raise(SIGTERM);
	return 1;
}
