/* A thread sleeps in poll() on a pipe; whoever has work for it writes a byte, unless it is known to
 * be awake.  It looks at the work once more when it has said that it sleeps.
 *
 * kind: none */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int fds[2];
static atomic_int work, sleeping;

static void *worker(void *arg)
{
	int done = 0;

	while (done < 3) {
		char c;

		done += atomic_exchange(&work, 0);
		if (done == 3)
			break;
		atomic_store(&sleeping, 1);
		if (atomic_load(&work)) {
			if (atomic_exchange(&sleeping, 0))
				continue;
		}
		struct pollfd p = {fds[0], POLLIN, 0};
		poll(&p, 1, -1);
		if (read(fds[0], &c, 1) != 1)
			break;
	}
	return arg;
}

static void give(void)
{
	atomic_fetch_add(&work, 1);
	if (atomic_exchange(&sleeping, 0) && write(fds[1], "", 1) != 1)
		_exit(1);
}

int main(void)
{
	pthread_t thread;

	if (pipe(fds) < 0)
		return 1;
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		give();
	pthread_join(thread, NULL);
	return 0;
}
