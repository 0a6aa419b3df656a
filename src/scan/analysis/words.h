/* Words: names, places and stacks for people.  What is returned lives as long as the finding, or
 * the run. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct dh_buf;
struct dh_finding;
struct dh_frame;
struct dh_scan_run;
struct dh_stack;

void dh_scan_frame_of(struct dh_scan_run *run, uint32_t fn, uint32_t stmt, struct dh_frame *ret);
/* The stack of a context, innermost first, into the finding's arena. */
void dh_scan_stack_of(struct dh_scan_run *run, struct dh_finding *f, uint32_t context, uint32_t fn,
	uint32_t stmt, struct dh_stack *ret);
const char *dh_scan_thread_name(
	struct dh_scan_run *run, struct dh_finding *f, uint32_t thread, uint32_t context);
void dh_scan_set_text(struct dh_scan_run *run, struct dh_finding *f, uint32_t locks,
	const char ***ret, size_t *ret_n);
const char *dh_scan_var_name(struct dh_scan_run *run, uint32_t addr, struct dh_buf *out);
