#include "proc/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "wire/buffer.h"

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))
#define LOAD(off)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (off))
#define RET(v)      BPF_STMT(BPF_RET | BPF_K, (v))

struct program {
	struct sock_filter *out;
	int n;
};

static void add(struct program *p, struct sock_filter insn)
{
	if (p->n < DH_FILTER_MAX)
		p->out[p->n++] = insn;
}

/* Calls from the three places in the landing area that the tracer and the buffer use pass; those of
 * other instruction sets (i386, x32) do not exist for the program, in a recording as in its replay.
 */
static void add_prologue(struct program *p)
{
	add(p, (struct sock_filter)LOAD(FIELD(instruction_pointer)));
	add(p, (struct sock_filter)BPF_JUMP(
		       BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)DH_BUFFER_CALL_END, 2, 0));
	add(p, (struct sock_filter)BPF_JUMP(
		       BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)DH_BUFFER_WAIT_END, 1, 0));
	add(p, (struct sock_filter)BPF_JUMP(
		       BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)DH_LANDING_SYSCALL_END, 0, 3));
	add(p, (struct sock_filter)LOAD(FIELD(instruction_pointer) + 4));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
	add(p, (struct sock_filter)RET(SECCOMP_RET_ALLOW));
	add(p, (struct sock_filter)LOAD(FIELD(arch)));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0));
	add(p, (struct sock_filter)RET(SECCOMP_RET_ERRNO | ENOSYS));
	add(p, (struct sock_filter)LOAD(FIELD(nr)));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
	add(p, (struct sock_filter)RET(SECCOMP_RET_ERRNO | ENOSYS));
}

/* The landing area itself is mapped from elsewhere.  It is there before the program runs: to that,
 * the same call says EEXIST, in a recording as in its replay. */
static void add_landing(struct program *p)
{
	const uint32_t flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;

	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 8));
	add(p, (struct sock_filter)LOAD(FIELD(args[0])));
	add(p, (struct sock_filter)BPF_JUMP(
		       BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)DH_LANDING_CODE, 0, 5));
	add(p, (struct sock_filter)LOAD(FIELD(args[0]) + 4));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
	add(p, (struct sock_filter)LOAD(FIELD(args[3])));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, flags, 0, 1));
	add(p, (struct sock_filter)RET(SECCOMP_RET_ALLOW));
	add(p, (struct sock_filter)LOAD(FIELD(nr)));
}

/* MADV_FREE leaves to the kernel whether pages keep their contents: the tracer decides instead. */
static void add_madvise(struct program *p)
{
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 4));
	add(p, (struct sock_filter)LOAD(FIELD(args[2])));
	add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_FREE, 0, 1));
	add(p, (struct sock_filter)RET(SECCOMP_RET_TRACE));
	add(p, (struct sock_filter)RET(SECCOMP_RET_ALLOW));
}

int dh_filter_build(const uint8_t *stops, int n_stops, struct sock_filter ret[DH_FILTER_MAX])
{
	struct program p = {.out = ret};

	add_prologue(&p);
	add_landing(&p);
	add_madvise(&p);
	for (int nr = 0; nr < n_stops; nr++) {
		if (stops[nr])
			continue;
		add(&p, (struct sock_filter)BPF_JUMP(
				BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 1));
		add(&p, (struct sock_filter)RET(SECCOMP_RET_ALLOW));
	}
	add(&p, (struct sock_filter)RET(SECCOMP_RET_TRACE));
	return p.n;
}

int dh_filter_install(const struct sock_filter *filter, int n)
{
	struct sock_fprog prog = {.len = (unsigned short)n, .filter = (struct sock_filter *)filter};

	/* With privileges set-user-id programs keep working; without, no_new_privs is the price. */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) == 0)
		return 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
		return -errno;
	return 0;
}
