/* deadheat-extract N: reads jobs (scan/extract/job.h), runs clang for each, N at a time, and reads
 * its bitcode.  It stands in where clang cannot be made to do it itself (inside.c). */
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "scan/extract/job.h"
#include "scan/ir/ir.h"
#include "scan/llvm/compile.h"
#include "scan/llvm/jobs.h"
#include "scan/llvm/lift.h"
#include "scan/llvm/output.h"

static int work(char *const *part, bool with_facts, struct dh_error *err)
{
	struct dh_scan_compile c = {.clang = part[DH_SCAN_JOB_CLANG],
		.dir = part[DH_SCAN_JOB_DIR],
		.file = part[DH_SCAN_JOB_FILE],
		.flags = part + DH_SCAN_JOB_FLAGS,
		.with_facts = with_facts,
		.output = part[DH_SCAN_JOB_OUTPUT]};
	DH_BUF struct dh_buf bitcode = DH_BUF_INIT, rule = DH_BUF_INIT;
	struct dh_scan_program *p;
	int r = dh_scan_compile(&c, &bitcode, &rule, err);

	if (r != 0)
		return r;
	p = dh_scan_program_new();
	r = dh_lift_bitcode(p, bitcode.data, bitcode.len, part[DH_SCAN_JOB_NAME],
		part[DH_SCAN_JOB_ROOT], dh_extract_lines(c.file), err);
	if (r == 0)
		r = dh_extract_output(p, dh_buf_str(&rule), c.dir, part[DH_SCAN_JOB_OUTPUT], err);
	dh_scan_program_free(p);
	return r;
}

int main(int argc, char **argv)
{
	unsigned limit = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;

	return dh_extract_serve(STDIN_FILENO, STDOUT_FILENO, limit, work);
}
