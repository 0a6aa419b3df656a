#include "../unit.h"

#include <asm/prctl.h>
#include <asm/unistd_64.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sysmodel/row.h"

/* The way that a tracer reads: whole pages may be looked at, whatever lies behind a string. */
static int read_self(void *cookie, uint64_t addr, void *p, size_t n)
{
	struct iovec here = {.iov_base = p, .iov_len = n};
	struct iovec there = {.iov_base = (void *)(uintptr_t)addr, .iov_len = n};

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n ? 0 : -EFAULT;
}

#define CALL(number, ...)                                                                          \
	(&(struct dh_sys_call){.nr = (number), .arg = {__VA_ARGS__}, .read = read_self})

/* Every number of the system's own header, read from the header itself. */
static void has_every_number_of_the_header(void **state)
{
	FILE *f = fopen("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "re");
	char line[200], name[100];
	int nr, n = 0;

	if (!f)
		f = fopen("/usr/include/asm/unistd_64.h", "re");
	if (!f)
		skip();
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "#define __NR_%99s %d", name, &nr) != 2)
			continue;
		assert_non_null(dh_sysmodel_find(nr));
		assert_string_equal(dh_sysmodel_find(nr)->name, name);
		assert_int_equal(dh_sysmodel_number(name), nr);
		n++;
	}
	fclose(f);
	assert_true(n > 350);
}

static void has_no_holes(void **state)
{
	int n = 0;

	for (int nr = 0; nr <= DH_SYS_MAX_NR; nr++) {
		n += dh_sysmodel_find(nr) != NULL;
		if (nr <= 336 || nr >= 424)
			assert_false(dh_sysmodel_unknown(nr));
		else
			assert_true(dh_sysmodel_unknown(nr));
	}
	assert_int_equal(n, 337 + 47);
	assert_true(dh_sysmodel_unknown(-1));
	assert_true(dh_sysmodel_unknown(DH_SYS_MAX_NR + 1));
	/* The x32 bit makes other calls of the same numbers. */
	assert_true(dh_sysmodel_unknown(0x40000000));
	assert_int_equal(dh_sysmodel_number("no_such_call"), -1);
	assert_int_equal(dh_sysmodel_class(CALL(400)), DH_SYS_REFUSE);
}

static void check_mem(const struct dh_sys_row *row, const struct dh_sys_mem *m)
{
	assert_true(m->arg < row->desc.n_args || row->desc.n_args == 0);
	if (m->len_arg != DH_SYS_NO_ARG)
		assert_true(m->len_arg < row->desc.n_args);
	assert_in_range(m->dir, DH_SYS_IN, DH_SYS_INOUT);
}

static void check_requests(const struct dh_sys_row *row)
{
	const struct dh_sys_requests *all = row->requests;

	assert_true(row->desc.flags & DH_SYS_VARIES);
	assert_true(all->arg < row->desc.n_args);
	assert_true(all->n > 0 && all->mask);
	for (size_t i = 0; i < all->n; i++) {
		const struct dh_sys_request *req = &all->rows[i];

		assert_non_null(req->name);
		assert_int_equal(req->flags & ~row->desc.flags, 0);
		for (size_t k = 0; k < i; k++) {
			if (all->rows[k].value == req->value)
				fail_msg("%s: %s and %s", row->desc.name, req->name,
					all->rows[k].name);
		}
		for (size_t k = 0; k < DH_ARRAY_SIZE(req->mem) && req->mem[k].emit; k++) {
			if (all->prefix == 0)
				check_mem(row, &req->mem[k]);
		}
	}
}

static void rows_are_consistent(void **state)
{
	for (int nr = 0; nr <= DH_SYS_MAX_NR; nr++) {
		const struct dh_sys_row *row = dh_sys_row(nr);

		if (!row)
			continue;
		assert_in_range(row->desc.n_args, 0, 6);
		for (int i = 0; i < 6; i++) {
			assert_int_equal(row->args[i] != A_NONE, i < row->desc.n_args);
			assert_true(row->args[i] < A_N_TYPES);
		}
		if (row->desc.class != DH_SYS_REFUSE)
			assert_int_equal(!!(row->desc.flags & DH_SYS_FD_ARG), row->args[0] == A_FD);
		for (size_t i = 0; i < DH_SYS_MEMS && row->mem[i].emit; i++)
			check_mem(row, &row->mem[i]);
		if (row->requests)
			check_requests(row);
		/* A filter lets RERUN pass without looking at arguments. */
		if (row->desc.class == DH_SYS_RERUN)
			assert_false(row->desc.flags & DH_SYS_VARIES);
		assert_int_equal(!!(row->desc.flags & DH_SYS_SIGMASK), row->sigmask_arg != 0);
	}
}

static void classes_are_as_documented(void **state)
{
	static const struct {
		int nr;
		enum dh_sys_class class;
	} want[] = {
		{__NR_read, DH_SYS_RECORD},
		{__NR_getpid, DH_SYS_RECORD},
		{__NR_set_tid_address, DH_SYS_RECORD},
		{__NR_membarrier, DH_SYS_RECORD},
		{__NR_rt_sigsuspend, DH_SYS_RECORD},
		{__NR_munmap, DH_SYS_RERUN},
		{__NR_mprotect, DH_SYS_RERUN},
		{__NR_rt_sigaction, DH_SYS_RERUN},
		{__NR_sched_yield, DH_SYS_RECORD},
		{__NR_mmap, DH_SYS_MEMORY},
		{__NR_brk, DH_SYS_MEMORY},
		{__NR_shmat, DH_SYS_MEMORY},
		{__NR_rt_sigreturn, DH_SYS_RERUN},
		{__NR_execve, DH_SYS_PROCESS},
		{__NR_clone3, DH_SYS_PROCESS},
		{__NR_exit_group, DH_SYS_PROCESS},
		{__NR_io_uring_setup, DH_SYS_REFUSE},
		{__NR_io_setup, DH_SYS_REFUSE},
		{__NR_rseq, DH_SYS_REFUSE},
	};

	for (size_t i = 0; i < DH_ARRAY_SIZE(want); i++)
		assert_int_equal(dh_sysmodel_class(CALL(want[i].nr)), want[i].class);
}

/* The upper halves of registers are garbage where the kernel takes an int. */
#define GARBAGE 0xabcd000000000000UL

static void classes_depend_on_arguments(void **state)
{
	static const struct {
		int nr;
		uint64_t arg[3];
		enum dh_sys_class class;
		int refusal;
	} want[] = {
		{__NR_madvise, {4096, 4096, MADV_DONTNEED}, DH_SYS_RERUN, 0},
		{__NR_madvise, {4096, 4096, MADV_FREE}, DH_SYS_REFUSE, EINVAL},
		{__NR_madvise, {4096, 4096, MADV_WILLNEED}, DH_SYS_RECORD, 0},
		{__NR_madvise, {4096, 4096, 77}, DH_SYS_RECORD, 0},
		{__NR_prctl, {PR_SET_NAME}, DH_SYS_RERUN, 0},
		{__NR_prctl, {GARBAGE | PR_SET_NAME}, DH_SYS_RERUN, 0},
		{__NR_prctl, {PR_SET_SECCOMP}, DH_SYS_REFUSE, 0},
		{__NR_prctl, {PR_SET_TSC}, DH_SYS_REFUSE, 0},
		{__NR_prctl, {PR_SET_MM}, DH_SYS_REFUSE, EPERM},
		{__NR_prctl, {PR_SET_PDEATHSIG}, DH_SYS_RECORD, 0},
		{__NR_arch_prctl, {ARCH_SET_FS}, DH_SYS_RERUN, 0},
		{__NR_arch_prctl, {ARCH_SET_CPUID}, DH_SYS_REFUSE, ENODEV},
		{__NR_seccomp, {SECCOMP_SET_MODE_FILTER, 1}, DH_SYS_REFUSE, 0},
		{__NR_seccomp, {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER},
			DH_SYS_REFUSE, EINVAL},
		{__NR_seccomp, {SECCOMP_GET_ACTION_AVAIL}, DH_SYS_RECORD, 0},
		{__NR_getsockopt, {3, 6, 35}, DH_SYS_REFUSE, ENOPROTOOPT},
		{__NR_getsockopt, {3, SOL_SOCKET, SO_ERROR}, DH_SYS_RECORD, 0},
		{__NR_ptrace, {0}, DH_SYS_REFUSE, EPERM},
		{__NR_io_uring_setup, {8}, DH_SYS_REFUSE, ENOSYS},
	};

	for (size_t i = 0; i < DH_ARRAY_SIZE(want); i++) {
		const struct dh_sys_call c = {
			.nr = want[i].nr, .arg = {want[i].arg[0], want[i].arg[1], want[i].arg[2]}};

		assert_int_equal(dh_sysmodel_class(&c), want[i].class);
		if (want[i].class == DH_SYS_REFUSE)
			assert_int_equal(dh_sysmodel_refusal(&c), want[i].refusal);
	}
}

static bool blocks(const struct dh_sys_call *c)
{
	return dh_sysmodel_flags(c) & DH_SYS_BLOCKS;
}

static void flags_depend_on_arguments(void **state)
{
	struct timespec zero = {0}, some = {.tv_nsec = 1};

	assert_true(blocks(CALL(__NR_poll, 0, 0, (uint64_t)-1)));
	assert_false(blocks(CALL(__NR_poll, 0, 0, 0)));
	assert_true(blocks(CALL(__NR_ppoll, 0, 0, (uintptr_t)&some)));
	assert_true(blocks(CALL(__NR_ppoll, 0, 0, 0)));
	assert_false(blocks(CALL(__NR_ppoll, 0, 0, (uintptr_t)&zero)));
	assert_false(blocks(CALL(__NR_recvfrom, 3, 0, 0, MSG_DONTWAIT)));
	assert_true(blocks(CALL(__NR_recvfrom, 3, 0, 0, MSG_PEEK)));
	assert_false(blocks(CALL(__NR_wait4, 0, 0, WNOHANG)));
	assert_true(blocks(CALL(__NR_futex, 0, FUTEX_WAIT_PRIVATE)));
	assert_true(blocks(CALL(__NR_futex, 0, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME)));
	assert_false(blocks(CALL(__NR_futex, 0, FUTEX_WAKE_PRIVATE)));
	assert_true(blocks(CALL(__NR_fcntl, 3, F_SETLKW)));
	assert_false(blocks(CALL(__NR_fcntl, 3, F_SETLK)));
	assert_true(dh_sysmodel_flags(CALL(__NR_fcntl, 3, F_DUPFD)) & DH_SYS_FD_NEW);
	assert_true(dh_sysmodel_flags(CALL(__NR_fcntl, 3, F_DUPFD)) & DH_SYS_FD_ARG);
	assert_false(dh_sysmodel_flags(CALL(__NR_fcntl, 3, F_GETFD)) & DH_SYS_FD_NEW);
	assert_true(dh_sysmodel_flags(CALL(__NR_write)) & DH_SYS_WRITES);
}

static void finds_temporary_masks(void **state)
{
	uint64_t mask = 0x4001, got = 0, pair[2] = {(uintptr_t)&mask, 8};

	assert_int_equal(
		dh_sysmodel_sigmask(CALL(__NR_rt_sigsuspend, (uintptr_t)&mask, 8), &got), 1);
	assert_int_equal(got, mask);
	got = 0;
	assert_int_equal(
		dh_sysmodel_sigmask(CALL(__NR_pselect6, 0, 0, 0, 0, 0, (uintptr_t)pair), &got), 1);
	assert_int_equal(got, mask);
	assert_int_equal(dh_sysmodel_sigmask(CALL(__NR_ppoll, 0, 0, 0, 0, 8), &got), 0);
	assert_int_equal(dh_sysmodel_sigmask(CALL(__NR_ppoll, 0, 0, 0, 16, 8), &got), -EFAULT);
	assert_int_equal(dh_sysmodel_sigmask(CALL(__NR_poll), &got), 0);
}

/* What went out is the first `result` bytes of the inputs. */
static void lists_sent_bytes_first(void **state)
{
	/* Neighbours would be joined. */
	char room[400], *a = room, *b = room + 100, *name = room + 200, *control = room + 300;
	struct iovec v[2] = {{a, 4}, {b, 8}};
	struct msghdr h = {name, 16, v, 2, control, 24, 0};
	struct dh_sys_range r[8];

	assert_int_equal(dh_sysmodel_inputs(CALL(__NR_writev, 1, (uintptr_t)v, 2), r, 8), 2);
	assert_true(r[0].addr == (uintptr_t)a && r[0].len == 4);
	assert_true(r[1].addr == (uintptr_t)b && r[1].len == 8);
	assert_int_equal(dh_sysmodel_inputs(CALL(__NR_sendmsg, 1, (uintptr_t)&h, 0), r, 8), 4);
	assert_true(r[0].addr == (uintptr_t)a && r[1].addr == (uintptr_t)b);
	assert_true(r[2].addr == (uintptr_t)name && r[3].len == 24);
	assert_int_equal(
		dh_sysmodel_inputs(CALL(__NR_sendto, 1, 0x5000, 9, 0, 0x9000, 16), r, 8), 2);
	assert_true(r[0].addr == 0x5000 && r[0].len == 9);
	assert_true(r[1].addr == 0x9000 && r[1].len == 16);
	assert_int_equal(
		dh_sysmodel_inputs(CALL(__NR_rename, (uintptr_t) "ab", (uintptr_t) "c"), r, 8), 2);
	assert_true(r[0].len == 3 && r[1].len == 2);
}

/* What a tracer sees when a signal interrupts: the kernel's own codes. */
static void knows_the_restart_codes(void **state)
{
	struct dh_sys_range r[4];
	struct timespec left;
	struct dh_sys_call sleeping = *CALL(__NR_nanosleep, 0x5000, (uintptr_t)&left);
	struct dh_sys_call polling = *CALL(__NR_poll, 0x5000, 2, 100);

	sleeping.result = -516;
	assert_int_equal(dh_sysmodel_outputs(&sleeping, r, 4), 1);
	assert_true(r[0].addr == (uintptr_t)&left && r[0].len == 16);
	sleeping.result = 0;
	assert_int_equal(dh_sysmodel_outputs(&sleeping, r, 4), 0);
	polling.result = 0;
	assert_int_equal(dh_sysmodel_outputs(&polling, r, 4), 1);
	polling.result = -EINVAL;
	assert_int_equal(dh_sysmodel_outputs(&polling, r, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_every_number_of_the_header),
		cmocka_unit_test(has_no_holes),
		cmocka_unit_test(rows_are_consistent),
		cmocka_unit_test(classes_are_as_documented),
		cmocka_unit_test(classes_depend_on_arguments),
		cmocka_unit_test(flags_depend_on_arguments),
		cmocka_unit_test(finds_temporary_masks),
		cmocka_unit_test(lists_sent_bytes_first),
		cmocka_unit_test(knows_the_restart_codes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
