/* Performs system calls and checks the table against what the kernel did.
 *
 * All memory that a call gets lies in one pool.  The pool is copied before the call and compared
 * after it: a byte that changed and is not in dh_sysmodel_outputs() fails the test.  Gaps of
 * random bytes between the pieces show writes beyond a buffer.  One thread, one test binary. */
#pragma once
#include "../unit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/* Empties the pool and fills it with random bytes. */
void probe_reset(void);
/* n bytes of it, as an address that goes into an argument. */
uint64_t probe_room(size_t n);
/* The same, at the very end of readable memory: what follows is not mapped. */
uint64_t probe_edge(size_t n);
uint64_t probe_put(const void *p, size_t n);
uint64_t probe_str(const char *s);
/* The memory behind an address. */
void *probe_at(uint64_t addr);

/* Performs the call, checks its outputs, and gives its result. */
int64_t probe_call(const char *name, const uint64_t arg[6]);
/* The same for one that has to succeed, and whose outputs have `bytes` bytes (-1: any). */
int64_t probe_ok(const char *name, int64_t bytes, const uint64_t arg[6]);
/* Bytes that the last call's outputs had, -errno when the table does not know the request. */
int64_t probe_bytes(void);

/* How many different calls were made and answered by the kernel; how many changed memory. */
int probe_covered(void);
int probe_covered_writing(void);

/* CALL is also for calls that may be missing from a kernel or not be allowed: then "nothing
 * unlisted changed" is all that is checked. */
#define CALL(name, ...)        probe_call(#name, (const uint64_t[6]){__VA_ARGS__})
#define OK(name, ...)          probe_ok(#name, -1, (const uint64_t[6]){__VA_ARGS__})
#define OK_BYTES(n, name, ...) probe_ok(#name, n, (const uint64_t[6]){__VA_ARGS__})

#define NEW_STRUCT(type, ...)  probe_put(&(type){__VA_ARGS__}, sizeof(type))

/* A directory of its own for each group of calls; the test's working directory while it runs. */
int probe_enter_dir(void **state);
int probe_leave_dir(void **state);

/* The groups, in their files. */
void outputs_of_files(void **state);
void outputs_of_attributes(void **state);
void outputs_of_directories(void **state);
void outputs_of_copies(void **state);
void outputs_of_extended_attributes(void **state);
void outputs_of_descriptors(void **state);
void outputs_of_mounts(void **state);
void outputs_of_waiting(void **state);
void outputs_of_interrupted_waiting(void **state);
void outputs_of_event_descriptors(void **state);
void outputs_of_bad_memory(void **state);
void outputs_of_sockets(void **state);
void outputs_of_datagrams(void **state);
void outputs_of_messages(void **state);
void outputs_of_socket_options(void **state);
void outputs_of_terminals(void **state);
void outputs_of_interfaces(void **state);
void outputs_of_file_requests(void **state);
void outputs_of_identity(void **state);
void outputs_of_limits(void **state);
void outputs_of_children(void **state);
void outputs_of_signals(void **state);
void outputs_of_prctl(void **state);
void outputs_of_futexes(void **state);
void outputs_of_memory(void **state);
void outputs_of_clocks(void **state);
void outputs_of_timers(void **state);
void outputs_of_sleeping(void **state);
void outputs_of_system_v(void **state);
void outputs_of_message_queues(void **state);
void outputs_of_keys(void **state);
void outputs_of_the_system(void **state);
