/* Private to this folder: what calls that did not stop were about (wire/note.h), and where all
 * calls stand in the order of things.  Only for recordings with opt->calls; nothing without. */
#pragma once
#include "record/recorder.h"

struct dh_landing_call;

void dh_notes_open(struct recorder *r);
void dh_notes_close(struct recorder *r);
/* The call that gives a new program what it needs to write notes; false: it cannot. */
bool dh_notes_attaching(struct recorder *r, struct dh_landing_call *ret);
/* Whether the call that is over makes the process see other files under its names, or its children
 * when it is a clone: what it finds out by itself would not be what we do. */
bool dh_notes_moves(const struct task *t, uint64_t clone_flags);
/* Logs the notes of the task's process up to `end`. */
void dh_notes_drain(struct recorder *r, struct task *t, uint64_t end);
/* The recording has this file as it is now. */
void dh_notes_file(struct recorder *r, uint64_t id, const struct stat *st);
/* An event was logged. */
void dh_notes_event(struct recorder *r);
/* Something happens to a call that stops: the place of that in the order. */
uint64_t dh_notes_moment(struct recorder *r);
/* The task goes into its call, which stops again when it is over; and is back. */
void dh_notes_busy(struct recorder *r, struct task *t, const struct dh_sys_call *c);
void dh_notes_idle(struct recorder *r, struct task *t);
