/* Timers of all kinds, in programs that wait for them in all ways.  Natively it takes three
 * seconds; in logical time none. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t alarms, ticks;
static void on_alarm(int sig)
{
	alarms++;
}
static void on_tick(int sig)
{
	ticks++;
}
static void check(int good)
{
	if (!good)
		_exit(1);
}
static void *waiter(void *p)
{
	sigset_t set;
	int sig;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	check(sigwait(&set, &sig) == 0 && sig == SIGUSR2);
	return p;
}
static void posix_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
	struct itimerspec in = {.it_value = {1, 0}}, left;
	timer_t timer;
	pthread_t t;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	check(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
	check(timer_settime(timer, 0, &in, NULL) == 0);
	check(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec < 2);
	pthread_create(&t, NULL, waiter, NULL);
	pthread_join(t, NULL);
	check(timer_delete(timer) == 0);
}
static void descriptor(void)
{
	struct itimerspec in = {.it_value = {1, 0}};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	struct pollfd p = {fd, POLLIN, 0};
	uint64_t times = 0;
	check(fd >= 0 && timerfd_settime(fd, 0, &in, NULL) == 0);
	check(poll(&p, 1, -1) == 1 && read(fd, &times, sizeof(times)) == 8 && times == 1);
	close(fd);
}
int main(void)
{
	struct itimerval every = {{0, 100000}, {0, 100000}}, never = {{0, 0}, {0, 0}};
	signal(SIGALRM, on_alarm);
	alarm(1);
	check(alarm(1) <= 1);
	check(pause() == -1 && errno == EINTR && alarms == 1);
	signal(SIGALRM, on_tick);
	setitimer(ITIMER_REAL, &every, NULL);
	while (ticks < 3)
		;
	check(setitimer(ITIMER_REAL, &never, NULL) == 0);
	posix_timer();
	descriptor();
	return 0;
}
