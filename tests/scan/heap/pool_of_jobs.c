/* A pool: jobs go in by one list and come back by another, and belong to one thread in between. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	struct job *next;
	int input, output;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t more, ready;
	struct job *todo, *done;
	int stop;
};

static struct pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
	PTHREAD_COND_INITIALIZER, NULL, NULL, 0};

static void *worker(void *arg)
{
	struct pool *p = arg;

	for (;;) {
		struct job *j;

		pthread_mutex_lock(&p->lock);
		while (!p->todo && !p->stop) // NORACE
			pthread_cond_wait(&p->more, &p->lock);
		j = p->todo; // NORACE
		if (!j) {
			pthread_mutex_unlock(&p->lock);
			return NULL;
		}
		p->todo = j->next; // NORACE
		pthread_mutex_unlock(&p->lock);

		j->output = j->input * 2; // NORACE
		j->input = 0;             // NORACE

		pthread_mutex_lock(&p->lock);
		j->next = p->done; // NORACE
		p->done = j;       // NORACE
		pthread_cond_signal(&p->ready);
		pthread_mutex_unlock(&p->lock);
	}
}

static void submit(struct pool *p, int n)
{
	struct job *j = malloc(sizeof(*j));

	j->input = n;  // NORACE
	j->output = 0; // NORACE
	pthread_mutex_lock(&p->lock);
	j->next = p->todo; // NORACE
	p->todo = j;       // NORACE
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
}

static int collect(struct pool *p)
{
	struct job *j;
	int n;

	pthread_mutex_lock(&p->lock);
	while (!p->done) // NORACE
		pthread_cond_wait(&p->ready, &p->lock);
	j = p->done;       // NORACE
	p->done = j->next; // NORACE
	pthread_mutex_unlock(&p->lock);
	n = j->output; // NORACE
	free(j);       // NORACE
	return n;
}

int main(void)
{
	pthread_t t[3];
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, &pool);
	for (int i = 0; i < 20; i++)
		submit(&pool, i);
	for (int i = 0; i < 20; i++)
		sum += collect(&pool);
	pthread_mutex_lock(&pool.lock);
	pool.stop = 1; // NORACE
	pthread_cond_broadcast(&pool.more);
	pthread_mutex_unlock(&pool.lock);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return sum < 0;
}
