/* The time stamp counter, and the tracer's own use of it.
 *
 * A recorded program may not read the counter: doing so faults, and the tracer answers.  Switching
 * between a thread that may and one that may not changes a control register, which takes several
 * microseconds on virtual machines, and every stop of the program switches twice.  So the thread
 * that traces gives it up too.  The C library reads clocks with it: such a read by this thread
 * faults as well, which gives the counter back to it until dh_tsc_forgo() is called again. */
#pragma once
#include "base/forward.h"

/* For the calling thread.  Cheap when that is so already.  Takes over SIGSEGV of the process; other
 * faults than these are left to whoever had it before. */
void dh_tsc_forgo(void);
void dh_tsc_regain(void);

/* Its value, whether the thread has given it up or not; *ret_aux is what rdtscp says beside it.
 * Once it is known how fast the counter goes the value is that of the clock, which costs less. */
uint64_t dh_tsc_read(uint32_t *ret_aux);
