/* A handler takes the first job of a list that the main program puts jobs into, with the signal
 * allowed all the time.
 *
 * kind: signal-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

struct job {
	struct job *next;
	int done;
};

static struct job *volatile first;
static struct job jobs[4];
static volatile sig_atomic_t ran;

static void on_signal(int sig)
{
	struct job *job = first;

	(void)sig;
	if (!job)
		return;
	first = job->next;
	job->done++;
	ran++;
}

static void put(struct job *job)
{
	job->next = first; /* BUG */
	first = job;       /* BUG */
}

static void *sender(void *arg)
{
	pthread_t *to = arg;

	for (int i = 0; i < 6; i++)
		pthread_kill(*to, SIGUSR1);
	return NULL;
}

int main(void)
{
	pthread_t thread, self = pthread_self();
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&thread, NULL, sender, &self);
	for (int i = 0; i < 4; i++)
		put(&jobs[i]);
	pthread_join(thread, NULL);
	for (int i = 0; i < 4; i++)
		assert(jobs[i].done <= 1);
	return 0;
}
