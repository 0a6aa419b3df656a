/* The helper's loop: reads jobs (scan/extract/job.h), runs each in a fork, so that a crash costs
 * one unit and LLVM is loaded once, and reports how each ended.  One thread. */
#pragma once
#include "base/forward.h"

/* What is done in the fork.  with_facts: the attributes of clang's thread-safety analysis are
 * turned into annotations.  0; -errno with words; DH_EXTRACT_AGAIN: the source may have been
 * rejected because of the facts, another fork is to try without them. */
typedef int dh_extract_work(char *const *part, bool with_facts, struct dh_error *err);

#define DH_EXTRACT_AGAIN 1

/* Until the end of what can be read from in; results go to out; at most limit jobs at a time.  The
 * exit status. */
int dh_extract_serve(int in, int out, unsigned limit, dh_extract_work *work);
