/* Handlers run on the thread that was meant, and interrupt what they should. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static sem_t s, started;
static pthread_t worker_handle;
static volatile sig_atomic_t handled, on_worker;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stop;
static void handler(int sig)
{
	(void)sig;
	handled++;
	if (pthread_equal(pthread_self(), worker_handle))
		on_worker++;
}
static void *worker(void *p)
{
	worker_handle = pthread_self();
	sem_post(&started);
	CHECK(sem_wait(&s) == 0 || errno == EINTR);
	pthread_mutex_lock(&m);
	while (!stop)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	struct sigaction a = {.sa_handler = handler}, old;
	pthread_t t;
	sigset_t set;
	int sig;
	sem_init(&s, 0, 0);
	sem_init(&started, 0, 0);
	CHECK(sigaction(SIGUSR1, &a, NULL) == 0);
	CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == handler);
	pthread_create(&t, NULL, worker, NULL);
	sem_wait(&started);
	CHECK(pthread_kill(t, SIGUSR1) == 0);
	sem_post(&s);
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	CHECK(handled == 1 && on_worker == 1);
	CHECK(raise(SIGUSR1) == 0 && handled == 2);
	CHECK(kill(getpid(), SIGUSR1) == 0 && handled == 3);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR2);
	CHECK(sigwait(&set, &sig) == 0 && sig == SIGUSR2);
	signal(SIGALRM, handler);
	alarm(1);
	pause();
	CHECK(handled == 4);
	return 0;
}
