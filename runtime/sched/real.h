/* The C library's own functions behind those that the runtime takes over. */
#pragma once
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "sched/sched.h"

#define DH_REAL_FUNCTIONS(X)                                                                       \
	X(pthread_create)                                                                          \
	X(pthread_join)                                                                            \
	X(pthread_tryjoin_np)                                                                      \
	X(pthread_timedjoin_np)                                                                    \
	X(pthread_clockjoin_np)                                                                    \
	X(pthread_detach)                                                                          \
	X(pthread_cancel)                                                                          \
	X(pthread_testcancel)                                                                      \
	X(pthread_setcanceltype)                                                                   \
	X(pthread_kill)                                                                            \
	X(pthread_setname_np)                                                                      \
	X(pthread_mutex_init)                                                                      \
	X(pthread_mutex_destroy)                                                                   \
	X(pthread_mutex_lock)                                                                      \
	X(pthread_mutex_trylock)                                                                   \
	X(pthread_mutex_timedlock)                                                                 \
	X(pthread_mutex_clocklock)                                                                 \
	X(pthread_mutex_unlock)                                                                    \
	X(pthread_rwlock_init)                                                                     \
	X(pthread_rwlock_destroy)                                                                  \
	X(pthread_rwlock_rdlock)                                                                   \
	X(pthread_rwlock_tryrdlock)                                                                \
	X(pthread_rwlock_timedrdlock)                                                              \
	X(pthread_rwlock_clockrdlock)                                                              \
	X(pthread_rwlock_wrlock)                                                                   \
	X(pthread_rwlock_trywrlock)                                                                \
	X(pthread_rwlock_timedwrlock)                                                              \
	X(pthread_rwlock_clockwrlock)                                                              \
	X(pthread_rwlock_unlock)                                                                   \
	X(pthread_spin_init)                                                                       \
	X(pthread_spin_destroy)                                                                    \
	X(pthread_spin_lock)                                                                       \
	X(pthread_spin_trylock)                                                                    \
	X(pthread_spin_unlock)                                                                     \
	X(pthread_cond_init)                                                                       \
	X(pthread_cond_destroy)                                                                    \
	X(pthread_cond_wait)                                                                       \
	X(pthread_cond_timedwait)                                                                  \
	X(pthread_cond_clockwait)                                                                  \
	X(pthread_cond_signal)                                                                     \
	X(pthread_cond_broadcast)                                                                  \
	X(pthread_barrier_init)                                                                    \
	X(pthread_barrier_destroy)                                                                 \
	X(pthread_barrier_wait)                                                                    \
	X(pthread_once)                                                                            \
	X(sem_init)                                                                                \
	X(sem_destroy)                                                                             \
	X(sem_wait)                                                                                \
	X(sem_trywait)                                                                             \
	X(sem_timedwait)                                                                           \
	X(sem_clockwait)                                                                           \
	X(sem_post)                                                                                \
	X(thrd_create)                                                                             \
	X(thrd_join)                                                                               \
	X(thrd_detach)                                                                             \
	X(thrd_sleep)                                                                              \
	X(thrd_yield)                                                                              \
	X(mtx_init)                                                                                \
	X(mtx_destroy)                                                                             \
	X(mtx_lock)                                                                                \
	X(mtx_trylock)                                                                             \
	X(mtx_timedlock)                                                                           \
	X(mtx_unlock)                                                                              \
	X(cnd_init)                                                                                \
	X(cnd_destroy)                                                                             \
	X(cnd_wait)                                                                                \
	X(cnd_timedwait)                                                                           \
	X(cnd_signal)                                                                              \
	X(cnd_broadcast)                                                                           \
	X(call_once)                                                                               \
	X(sched_yield)                                                                             \
	X(sleep)                                                                                   \
	X(usleep)                                                                                  \
	X(nanosleep)                                                                               \
	X(clock_nanosleep)                                                                         \
	X(clock_gettime)                                                                           \
	X(gettimeofday)                                                                            \
	X(time)                                                                                    \
	X(fork)                                                                                    \
	X(sigaction)                                                                               \
	X(signal)                                                                                  \
	X(pthread_sigmask)                                                                         \
	X(sigprocmask)                                                                             \
	X(alarm)                                                                                   \
	X(setitimer)                                                                               \
	X(getitimer)                                                                               \
	X(ualarm)                                                                                  \
	X(timer_create)                                                                            \
	X(timer_gettime)                                                                           \
	X(timer_delete)                                                                            \
	X(timerfd_create)                                                                          \
	X(timerfd_settime)                                                                         \
	X(timerfd_gettime)                                                                         \
	X(timer_settime)                                                                           \
	X(raise)                                                                                   \
	X(kill)                                                                                    \
	X(pause)                                                                                   \
	X(sigsuspend)                                                                              \
	X(sigwait)                                                                                 \
	X(sigwaitinfo)                                                                             \
	X(sigtimedwait)                                                                            \
	X(read)                                                                                    \
	X(readv)                                                                                   \
	X(recv)                                                                                    \
	X(recvfrom)                                                                                \
	X(recvmsg)                                                                                 \
	X(write)                                                                                   \
	X(writev)                                                                                  \
	X(send)                                                                                    \
	X(sendto)                                                                                  \
	X(sendmsg)                                                                                 \
	X(accept)                                                                                  \
	X(accept4)                                                                                 \
	X(connect)                                                                                 \
	X(open)                                                                                    \
	X(openat)                                                                                  \
	X(lseek)                                                                                   \
	X(dup)                                                                                     \
	X(dup2)                                                                                    \
	X(pipe)                                                                                    \
	X(pipe2)                                                                                   \
	X(socketpair)                                                                              \
	X(ftruncate)                                                                               \
	X(close)                                                                                   \
	X(shutdown)                                                                                \
	X(poll)                                                                                    \
	X(ppoll)                                                                                   \
	X(select)                                                                                  \
	X(pselect)                                                                                 \
	X(epoll_wait)                                                                              \
	X(epoll_pwait)                                                                             \
	X(wait)                                                                                    \
	X(waitpid)                                                                                 \
	X(wait4)                                                                                   \
	X(waitid)                                                                                  \
	X(system)                                                                                  \
	X(syscall)                                                                                 \
	X(__assert_fail)                                                                           \
	X(_exit)

#define DH_REAL_FIELD(name) __typeof__(&name) name;
struct dh_real {
	bool ready;
	DH_REAL_FUNCTIONS(DH_REAL_FIELD)
};
extern DH_HIDDEN struct dh_real dh_real_table;

void DH_HIDDEN dh_real_init(void);
/* Any other symbol behind this library; NULL: there is none. */
void DH_HIDDEN *dh_real_symbol(const char *name);

static inline const struct dh_real *dh_real(void)
{
	if (dh_unlikely(!dh_real_table.ready))
		dh_real_init();
	return &dh_real_table;
}
