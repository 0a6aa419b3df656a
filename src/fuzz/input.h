/* Standard input of the program under test: kept as a file that can be read again for each run. */
#pragma once
#include "base/forward.h"

struct dh_program;

struct dh_fuzz_input {
	int fd; /* seekable, at 0; -1: none */
	uint64_t hash, size;
};

#define DH_FUZZ_INPUT_INIT ((struct dh_fuzz_input){.fd = -1})

/* Reads all that comes from fd, unless it is a terminal, closed, or a pipe in which nothing is:
 * then there is none. */
int dh_fuzz_input_take(int fd, struct dh_fuzz_input *ret, struct dh_error *err);
void dh_fuzz_input_release(struct dh_fuzz_input *in);
/* Of the content of the program's file; 0 when it cannot be read. */
uint64_t dh_program_hash(const struct dh_program *p);
