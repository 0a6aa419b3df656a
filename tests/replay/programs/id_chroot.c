/* chroot for root; EPERM for others. */
#include "t.h"

int main(void)
{
	char cwd[PATH_MAX];
	pid_t pid;

	t_tmp();
	TRY(mkdir("jail", 0755));
	t_write_file("jail/inside", "x", 1);
	pid = TRY(fork());
	if (!pid) {
		int r = chroot("jail");

		say("chroot %d %d\n", r, r ? errno : 0);
		CHECK(r == 0 || errno == EPERM);
		if (r == 0) {
			TRY(chdir("/"));
			CHECK(access("/inside", R_OK) == 0 && access("/bin", F_OK) == -1);
			CHECK(getcwd(cwd, sizeof(cwd)) && strcmp(cwd, "/") == 0);
		}
		_exit(0);
	}
	CHECK(t_wait(pid) == 0);
	say("pid %d outside\n", getpid());
	return 0;
}
