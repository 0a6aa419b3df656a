/* A list of embedded links; the owner is found by its link. */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
	struct link *next;
};

struct job {
	int id;
	int done;
	int unsafe;
	pthread_mutex_t lock;
	struct link link;
};

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link *jobs;
pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int id)
{
	struct job *j = calloc(1, sizeof(*j));

	j->id = id; // NORACE
	pthread_mutex_init(&j->lock, NULL);
	pthread_mutex_lock(&jobs_lock);
	j->link.next = jobs; // NORACE
	jobs = &j->link;     // NORACE
	pthread_mutex_unlock(&jobs_lock);
}

static void finish_all(void)
{
	struct link *l;

	pthread_mutex_lock(&jobs_lock);
	for (l = jobs; l; l = l->next) { // NORACE
		struct job *j = container_of(l, struct job, link);

		pthread_mutex_lock(&j->lock); // NODEADLOCK
		j->done = 1;                  // NORACE
		pthread_mutex_unlock(&j->lock);
	}
	l = jobs;
	pthread_mutex_unlock(&jobs_lock);
	if (l)
		container_of(l, struct job, link)->unsafe++; // RACE
}

void *t_fun(void *arg)
{
	add((int)(long)arg);
	finish_all();
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, t_fun, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
