/* Odd calls about other processes: getsid, getpriority, sched_getaffinity, prlimit of a child. */
#include "t.h"

int main(void)
{
	struct rlimit rl, old;
	cpu_set_t set;
	pid_t pid = TRY(fork());

	if (!pid) {
		pause();
		_exit(0);
	}
	say("child %d: session same %d, priority %d\n", pid, getsid(pid) == getsid(0),
		getpriority(PRIO_PROCESS, (id_t)pid));
	TRY(sched_getaffinity(pid, sizeof(set), &set));
	TRY(prlimit(pid, RLIMIT_NOFILE, NULL, &old));
	rl = old;
	rl.rlim_cur = old.rlim_cur > 100 ? 100 : old.rlim_cur;
	TRY(prlimit(pid, RLIMIT_NOFILE, &rl, &old));
	TRY(prlimit(pid, RLIMIT_NOFILE, NULL, &rl));
	say("limit %lu was %lu, cpus %d\n", rl.rlim_cur, old.rlim_cur, CPU_COUNT(&set));
	TRY(kill(pid, SIGTERM));
	t_say_status("child", t_wait(pid));
	return 0;
}
