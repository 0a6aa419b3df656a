/* SIGUSR1 asks for a report: the right way with a flag, and the wrong way in the handler. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t wanted;
static long done, reports;
static char last[64];

static void on_signal(int n)
{
	wanted = 1;                                // NORACE
	reports++;                                 // RACE
	snprintf(last, sizeof(last), "%ld", done); // RACE
}

static void work(const char *name)
{
	done++;             // RACE
	strcpy(last, name); // RACE
}

int main(int argc, char **argv)
{
	struct sigaction sa = {.sa_handler = on_signal};

	sigaction(SIGUSR1, &sa, NULL);
	for (int i = 0; i < 100000; i++) {
		work(argv[0]);
		if (wanted) {                     // NORACE
			wanted = 0;               // NORACE
			printf("%ld\n", reports); // RACE
		}
	}
	return 0;
}
