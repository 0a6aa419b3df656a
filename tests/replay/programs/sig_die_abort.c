/* abort() with a handler that returns: it dies all the same.
 * ends: SIGABRT */
#include "t.h"

static void on_abort(int sig)
{
	say("caught %d at %lu\n", sig, t_now_ns());
}

int main(void)
{
	struct rlimit none = {0, 0};

	TRY(setrlimit(RLIMIT_CORE, &none));
	t_on(SIGABRT, on_abort, 0);
	abort();
}
