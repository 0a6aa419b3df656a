/* A scheduler of paper for tests of the detector: threads are structs, and the test says whose turn
 * it is.  Statements are numbers. */
#pragma once
#include "../unit.h"

#include "sched/candidate.h"
#include "sched/detect.h"
#include "sched/detector.h"
#include "sched/heap.h"

#define MOCK_THREADS 8

/* A run with these bits of enum dh_sched_detect; thread 0 has the turn.  Everything of an earlier
 * run is gone, except for the granules when DH_DETECT_STACKS is set. */
void mock_start(uint32_t detect);
void mock_end(void);
/* From now on this thread runs; it is created by the one that ran when it is new. */
void mock_turn(unsigned thread);
/* The running thread sees the end of the other. */
void mock_join(unsigned thread);
void mock_lock(int lock);
void mock_lock_how(int lock, unsigned how, uintptr_t pc);
void mock_unlock(int lock);
struct dh_object *mock_object(int number);
/* 4 bytes, by the statement. */
void mock_read(void *p, uintptr_t statement);
void mock_write(void *p, uintptr_t statement);

uint32_t mock_count(uint32_t kind);
/* The candidate with these statements in any order (c 0: only two); NULL: there is none. */
const struct dh_sched_candidate *mock_find(uint32_t kind, uintptr_t a, uintptr_t b, uintptr_t c);
const struct dh_sched_candidate *mock_candidate(uint32_t index);

/* How dh_sched_stop() was called, when what `run` does calls it; DH_END_NONE: not at all. */
enum dh_sched_end mock_stopped(void (*run)(void *), void *arg);
extern char mock_words[256];
