/* libdeadheat-extract.so, which the linker loads into clang itself (LD_PRELOAD): clang then does
 * not compile what its command line says, but reads jobs (scan/extract/job.h), each in a fork.
 *
 * Why: loading clang costs as much as compiling a small file, and it is loaded once this way; and
 * the code that clang generates is looked at where it is, instead of being written as bitcode and
 * read again.  Two functions are taken over for that: the C library's that calls main(), and the
 * pass of LLVM that writes bitcode.  The latter has the same name from LLVM 14 on; where it has
 * not, clang writes bitcode as ever, and that is read.  If anything differs from what is needed, no
 * greeting is sent, and deadheat-extract does the work. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/job.h"
#include "scan/ir/ir.h"
#include "scan/llvm/compile.h"
#include "scan/llvm/jobs.h"
#include "scan/llvm/lift.h"
#include "scan/llvm/output.h"

#define EXPORT       __attribute__((visibility("default")))
#define WRITE_PASS   "_ZN4llvm17BitcodeWriterPass3runERNS_6ModuleERNS_15AnalysisManagerIS1_JEEE"
#define STATUS_OF(r) (((r)&0xff) << 8)

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
/* A member function that returns an object: where that goes comes first. */
typedef void *pass_function(void *ret, void *pass, LLVMModuleRef module, void *manager);

EXPORT start_function dh_inside_start __asm__("__libc_start_main");
EXPORT pass_function dh_inside_write __asm__(WRITE_PASS);

static main_function *clang_main;
static char **clang_environment;

/* The job of this fork. */
static char *const *part;
static struct dh_scan_program *program; /* NULL until the code is there */

static void lift(LLVMModuleRef module)
{
	program = dh_scan_program_new();
	dh_lift_module(program, module, part[DH_SCAN_JOB_NAME], part[DH_SCAN_JOB_ROOT],
		dh_extract_lines(part[DH_SCAN_JOB_FILE]));
}

/* What the pass returns only LLVM can make: it writes a module that is empty. */
void *dh_inside_write(void *ret, void *pass, LLVMModuleRef module, void *manager)
{
	pass_function *real;
	LLVMModuleRef empty;

	*(void **)&real = dlsym(RTLD_NEXT, WRITE_PASS);
	if (!part || program)
		return real(ret, pass, module, manager);
	lift(module);
	empty = LLVMModuleCreateWithNameInContext("empty", LLVMGetModuleContext(module));
	return real(ret, pass, empty, manager);
}

static int take_over(const struct dh_scan_compile *c, const struct dh_scan_files *f)
{
	char **argv = dh_scan_compile_argv(c, f->deps);
	int argc = 0, here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), status;

	while (argv[argc])
		argc++;
	if (here < 0 || chdir(c->dir) < 0 || dup2(f->bitcode, STDOUT_FILENO) < 0 ||
		dup2(f->messages, STDERR_FILENO) < 0)
		return -errno;
	alarm(DH_SCAN_COMPILE_SECONDS);
	status = STATUS_OF(clang_main(argc, argv, clang_environment));
	/* The output may have a relative name. */
	return fchdir(here) < 0 ? -errno : status;
}

static int finish(
	const struct dh_scan_compile *c, const struct dh_scan_files *f, struct dh_error *err)
{
	DH_BUF struct dh_buf bitcode = DH_BUF_INIT, rule = DH_BUF_INIT;
	int r = dh_scan_files_read(f, program ? NULL : &bitcode, &rule, err);

	if (r == 0 && !program) {
		program = dh_scan_program_new();
		r = dh_lift_bitcode(program, bitcode.data, bitcode.len, part[DH_SCAN_JOB_NAME],
			part[DH_SCAN_JOB_ROOT], dh_extract_lines(c->file), err);
	}
	if (r < 0)
		return r;
	return dh_extract_output(program, dh_buf_str(&rule), c->dir, part[DH_SCAN_JOB_OUTPUT], err);
}

/* In a fork, which ends behind it: nothing is cleaned up. */
static int work(char *const *part_of, bool with_facts, struct dh_error *err)
{
	struct dh_scan_compile c = {.clang = part_of[DH_SCAN_JOB_CLANG],
		.dir = part_of[DH_SCAN_JOB_DIR],
		.file = part_of[DH_SCAN_JOB_FILE],
		.flags = part_of + DH_SCAN_JOB_FLAGS,
		.with_facts = with_facts,
		.output = part_of[DH_SCAN_JOB_OUTPUT]};
	struct dh_scan_files f;
	int r = dh_scan_files_open(&f, err);

	if (r < 0)
		return r;
	part = part_of;
	r = dh_scan_compile_verdict(&c, take_over(&c, &f), &f, err);
	return r ? r : finish(&c, &f, err);
}

/* Which libraries are there. */
struct libraries {
	unsigned clang, llvm;
};

static int see_library(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct libraries *found = arg;

	found->clang += strstr(info->dlpi_name, "/libclang-cpp") != NULL;
	found->llvm += strstr(info->dlpi_name, "/libLLVM") != NULL;
	return 0;
}

/* Whether this is a clang that uses the same LLVM as the code here. */
static bool fits(void)
{
	struct libraries found = {0};

	dl_iterate_phdr(see_library, &found);
	return found.clang == 1 && found.llvm == 1 && dlsym(RTLD_NEXT, WRITE_PASS);
}

static int serve(int argc, char **argv, char **environment)
{
	static const char greeting[] = DH_SCAN_GREETING;
	int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	unsigned limit = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;

	if (in < 0 || out < 0 || null < 0 || !fits())
		return 1;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	unsetenv("LD_PRELOAD");
	unsetenv("LD_BIND_NOW");
	unsetenv("GLIBC_TUNABLES");
	clang_environment = environment;
	if (dh_write_full(out, greeting, sizeof(greeting)) < 0)
		return 1;
	return dh_extract_serve(in, out, limit, work);
}

int dh_inside_start(main_function *main, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	start_function *real;

	*(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
	clang_main = main;
	return real(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
