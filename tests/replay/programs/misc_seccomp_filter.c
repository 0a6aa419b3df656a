/* Filters add up, threads and children have them too, and what they say differs. */
#include "t.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

static void forbid(int nr, uint32_t what, unsigned flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, what),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};

	TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog));
}

static pthread_barrier_t meet;

static void *thread(void *unused)
{
	pthread_barrier_wait(&meet);
	pthread_barrier_wait(&meet);
	CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV);
	say("thread %d obeys\n", gettid());
	return unused;
}

int main(void)
{
	struct rlimit none = {0, 0};
	pthread_t t;
	pid_t pid;

	TRY(setrlimit(RLIMIT_CORE, &none));
	CHECK(prctl(PR_GET_SECCOMP) == 0);
	pthread_barrier_init(&meet, NULL, 2);
	CHECK(pthread_create(&t, NULL, thread, NULL) == 0);
	pthread_barrier_wait(&meet);
	forbid(SYS_getppid, SECCOMP_RET_ERRNO | EXDEV, SECCOMP_FILTER_FLAG_TSYNC);
	pthread_barrier_wait(&meet);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(prctl(PR_GET_SECCOMP) == 2);
	CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV);
	pid = TRY(fork());
	if (!pid) {
		forbid(SYS_getppid, SECCOMP_RET_LOG, 0); /* less strict: changes nothing */
		CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV);
		forbid(SYS_getsid, SECCOMP_RET_KILL_PROCESS, 0);
		say("child %d dies\n", getpid());
		getsid(0);
		_exit(1);
	}
	t_say_status("forbidden", t_wait(pid));
	CHECK(getsid(0) > 0);
	CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 && errno == EFAULT);
	say("pid %d\n", getpid());
	return 0;
}
