#include "proc/landing.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "proc/husk_code.h"
#include "proc/tracee.h"
#include "wire/landing.h"

#define FIRST_SIZE 3 /* of the landing area's code: "syscall; int3" */

/* There is no page of ours yet: the first call is made from the program's own first bytes, which
 * are borrowed for it.  The filter may stop it; that stop is passed. */
static int first_call(struct dh_tracee *t, const struct dh_regs *start)
{
	const uint64_t args[] = {DH_LANDING_CODE, DH_LANDING_END - DH_LANDING_CODE,
		PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, (uint64_t)-1, 0};
	struct dh_regs regs = *start;
	struct dh_stop stop;
	int r;

	dh_regs_begin_syscall(&regs, SYS_mmap, args, dh_regs_pc(start));
	r = dh_tracee_set_regs(t, &regs);
	while (r == 0) {
		r = dh_tracee_resume(t, DH_RESUME_CONT, 0);
		if (r < 0)
			break;
		r = dh_tracee_wait(t, &stop);
		if (r < 0)
			break;
		if (stop.kind == DH_STOP_EXITED || stop.kind == DH_STOP_EXITING)
			return -ESRCH;
		if (stop.kind == DH_STOP_SIGNAL && stop.code == SIGTRAP)
			break;
		if (stop.kind == DH_STOP_SIGNAL && stop.code == SIGSEGV)
			return -EFAULT;
	}
	if (r == 0)
		r = dh_tracee_get_regs(t, &regs);
	if (r == 0 && dh_regs_result(&regs) != (int64_t)DH_LANDING_CODE)
		r = (int)dh_regs_result(&regs);
	return r;
}

/* Code cannot be written to, and data is not code; then what the caller wants. */
static int protect(struct dh_tracee *t, struct dh_landing_call *calls, size_t n)
{
	struct dh_landing_call all[DH_LANDING_CALLS] = {
		{SYS_mprotect,
			{DH_LANDING_CODE, DH_LANDING_DATA - DH_LANDING_CODE, PROT_READ | PROT_EXEC},
			0},
		{SYS_mprotect,
			{DH_LANDING_DATA, DH_LANDING_END - DH_LANDING_DATA, PROT_READ | PROT_WRITE},
			0}};
	int r;

	if (n > DH_LANDING_CALLS - 2)
		return -E2BIG;
	if (n)
		memcpy(all + 2, calls, n * sizeof(*calls));
	r = dh_tracee_syscalls(t, all, n + 2);
	if (r < 0)
		return r;
	if (n)
		memcpy(calls, all + 2, n * sizeof(*calls));
	return (int)(all[0].result ? all[0].result : all[1].result);
}

int dh_landing_map(struct dh_tracee *t, struct dh_landing_call *calls, size_t n)
{
	uint8_t borrowed[FIRST_SIZE];
	struct dh_regs start;
	uint64_t mask;
	int r;

	r = dh_tracee_get_regs(t, &start);
	if (r == 0)
		r = dh_tracee_read(t, dh_regs_pc(&start), borrowed, sizeof(borrowed));
	if (r == 0)
		r = dh_tracee_write(t, dh_regs_pc(&start), dh_husk_code, FIRST_SIZE);
	if (r < 0)
		return r;
	dh_tracee_get_sigmask(t, &mask);
	dh_tracee_set_sigmask(t, ~(1ull << (SIGTRAP - 1)));
	r = first_call(t, &start);
	dh_tracee_write(t, dh_regs_pc(&start), borrowed, sizeof(borrowed));
	dh_regs_finish_syscall(&start, dh_regs_result(&start));
	dh_tracee_set_regs(t, &start);
	dh_tracee_set_sigmask(t, mask);
	if (r < 0)
		return r;
	r = dh_tracee_write(t, DH_LANDING_CODE, dh_husk_code, dh_husk_code_size);
	if (r < 0)
		return r;
	return protect(t, calls, n);
}
