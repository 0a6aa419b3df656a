/* Programs inside the kernel. */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/probe.h"

static int load_bpf(enum bpf_prog_type type)
{
	static const struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr = {
		.prog_type = type,
		.insns = (uint64_t)(uintptr_t)code,
		.insn_cnt = DH_ARRAY_SIZE(code),
		.license = (uint64_t)(uintptr_t) "Apache-2.0",
	};
	int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

void dh_probe_bpf(struct dh_probe_result *ret)
{
	int r = load_bpf(BPF_PROG_TYPE_TRACEPOINT);

	if (r < 0) {
		dh_probe_says(ret, DH_HEALTH_MISSING, "%s", strerror(-r));
		dh_probe_mend(ret, "run as root, or with CAP_BPF and CAP_PERFMON");
	} else if (access("/sys/kernel/btf/vmlinux", R_OK) < 0) {
		dh_probe_says(ret, DH_HEALTH_DEGRADED, "programs load, but the kernel has no BTF");
		dh_probe_mend(ret, "mount /sys, or use a kernel with CONFIG_DEBUG_INFO_BTF");
	} else {
		dh_probe_says(ret, DH_HEALTH_WORKS, "programs load, with the kernel's types");
	}
}
