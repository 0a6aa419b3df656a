/* Locks and the like that are used as they must not be: by POSIX that is undefined, or an error
 * that hardly anybody looks at.  What is told is what the C library's own objects say, so that
 * what happened to them before main counts, too.  Prediction only; with the turn. */
#pragma once
#include <pthread.h>

#include "sched/core.h"

/* Before the call; what the program then gets is up to the C library. */
void DH_HIDDEN dh_misuse_unlock(struct dh_task *self, const pthread_mutex_t *m, uintptr_t pc);
void DH_HIDDEN dh_misuse_cond_wait(struct dh_task *self, const pthread_mutex_t *m, uintptr_t pc);
void DH_HIDDEN dh_misuse_rwlock_unlock(const pthread_rwlock_t *l, uintptr_t pc);
void DH_HIDDEN dh_misuse_rwlock_destroy(const pthread_rwlock_t *l, uintptr_t pc);
void DH_HIDDEN dh_misuse_mutex_destroy(const pthread_mutex_t *m, uintptr_t pc);
/* A condition variable, semaphore or barrier goes: does anybody wait for it? */
void DH_HIDDEN dh_misuse_destroy_waited(const void *at, enum dh_object_kind kind, uintptr_t pc);
