/* The handler is installed with sigaction, and changes a struct that main reads. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct {
	long seconds, nanos;
} stamp;

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	stamp.seconds++; // RACE
	stamp.nanos = 0; // RACE
}

int main(void)
{
	struct sigaction sa;
	long sum = 0;

	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = on_alarm;
	sa.sa_flags = SA_SIGINFO;
	sigaction(SIGALRM, &sa, NULL);
	ualarm(100, 100);
	for (int i = 0; i < 1000; i++)
		sum += stamp.seconds + stamp.nanos; // RACE
	ualarm(0, 0);
	return sum < 0;
}
