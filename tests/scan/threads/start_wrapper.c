/* Threads are started through a wrapper that takes the function from a struct. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	void (*run)(struct job *job);
	int cost;
};

static int spent;

static void pay(struct job *job)
{
	spent += job->cost; // RACE
}

static void *trampoline(void *arg)
{
	struct job *job = arg;

	job->run(job); // NORACE
	free(job);     // NORACE
	return NULL;
}

static pthread_t start(void (*run)(struct job *), int cost)
{
	struct job *job = malloc(sizeof(*job));
	pthread_t t;

	job->run = run;
	job->cost = cost; // NORACE
	if (pthread_create(&t, NULL, trampoline, job))
		abort();
	return t;
}

int main(void)
{
	pthread_t a = start(pay, 3), b = start(pay, 4);

	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return spent; // NORACE
}
