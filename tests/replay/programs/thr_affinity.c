/* sched_getaffinity, sched_setaffinity, getcpu, and the thread's names. */
#include "t.h"

int main(void)
{
	unsigned cpu = 99, node = 99;
	cpu_set_t set, one;
	char name[32];

	TRY(sched_getaffinity(0, sizeof(set), &set));
	say("%d cpus allowed, on %d\n", CPU_COUNT(&set), sched_getcpu());
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set)) {
			CPU_SET(i, &one);
			break;
		}
	TRY(sched_setaffinity(0, sizeof(one), &one));
	TRY(getcpu(&cpu, &node));
	say("pinned: cpu %u node %u\n", cpu, node);
	TRY(sched_setaffinity(0, sizeof(set), &set));
	TRY0(pthread_setname_np(pthread_self(), "replay-name"));
	TRY0(pthread_getname_np(pthread_self(), name, sizeof(name)));
	CHECK(strcmp(name, "replay-name") == 0);
	for (int i = 0; i < 5; i++) {
		say("cpu %d at %lu\n", sched_getcpu(), t_now_ns());
		sched_yield();
	}
	say("online %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
	return 0;
}
