/* Ids of the tree in several notations agree: fork's result, getpid, /proc/self, wait. */
#include "t.h"

int main(void)
{
	char link[64], path[64];
	ssize_t n;

	for (int i = 0; i < 5; i++) {
		pid_t pid = TRY(fork()), r;

		if (!pid) {
			n = TRY(readlink("/proc/self", link, sizeof(link) - 1));
			link[n] = 0;
			snprintf(path, sizeof(path), "%d", getpid());
			say("self %s getpid %s tid %d\n", link, path, gettid());
			CHECK(strcmp(link, path) == 0);
			_exit(0);
		}
		r = TRY(wait(NULL));
		CHECK(r == pid);
	}
	n = TRY(readlink("/proc/thread-self", link, sizeof(link) - 1));
	say("%.*s\n", (int)n, link);
	return 0;
}
