/* Recordings for tests: every event is a function of its number, so that a reader can tell a right
 * event from a wrong one without any memory of what was written. */
#pragma once
#include "../unit.h"

#include <stdbool.h>

#include "trace/meta.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* A scratch directory that does not exist yet, below a fresh one; free with scratch_free(). */
char *scratch_new(void);
void scratch_free(char *dir);

/* Meta data of a test; release with dh_trace_meta_release(). */
struct dh_trace_meta test_meta(void);
struct dh_trace_writer *open_writer(const char *dir, uint64_t max_size);
struct dh_trace_reader *open_reader(const char *dir);

/* Sizes are spread from 0 to max_len, most of them small; contents compress or not. */
struct test_event {
	uint16_t kind;
	uint32_t task;
	uint8_t *data;
	size_t len;
};
void make_event(uint64_t seq, size_t max_len, struct test_event *ret);
int add_event(struct dh_trace_writer *w, uint64_t seq, size_t max_len);
/* A whole small recording of n events. */
void write_recording(const char *dir, uint64_t n, size_t max_len);

/* Reads to the end or to an error and checks every event against make_event().  The count; how it
 * ended (0 or -errno) in *ret_end, which may be NULL. */
uint64_t read_events(struct dh_trace_reader *r, size_t max_len, int *ret_end);

/* Files of a recording, to damage them. */
char *path_in(const char *dir, const char *name);
void read_whole(const char *path, struct dh_buf *ret);
void write_whole(const char *path, const void *p, size_t n);
