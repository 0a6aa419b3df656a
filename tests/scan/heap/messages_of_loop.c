/* An event loop gets messages in a list that it takes whole; its own state needs no lock. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct message {
	struct message *next;
	int kind, amount;
};

struct loop {
	pthread_mutex_t lock;
	struct message *inbox;
	int wake[2];
	long total;
	int closed;
	int seen;
};

static struct loop loop = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void handle(struct loop *l, struct message *m)
{
	if (m->kind == 0)      // NORACE
		l->closed = 1; // NORACE
	else
		l->total += m->amount; // NORACE
	l->seen++;                     // RACE
	free(m);                       // NORACE
}

static void *run(void *arg)
{
	struct loop *l = arg;
	char c;

	while (!l->closed) { // NORACE
		struct message *m;

		if (read(l->wake[0], &c, 1) != 1)
			break;
		pthread_mutex_lock(&l->lock);
		m = l->inbox;    // NORACE
		l->inbox = NULL; // NORACE
		pthread_mutex_unlock(&l->lock);
		while (m) {
			struct message *next = m->next; // NORACE

			handle(l, m);
			m = next;
		}
	}
	return NULL;
}

static void post(struct loop *l, int kind, int amount)
{
	struct message *m = malloc(sizeof(*m));

	m->kind = kind;     // NORACE
	m->amount = amount; // NORACE
	pthread_mutex_lock(&l->lock);
	m->next = l->inbox; // NORACE
	l->inbox = m;       // NORACE
	pthread_mutex_unlock(&l->lock);
	if (write(l->wake[1], "x", 1) != 1)
		exit(1);
}

static int progress(struct loop *l)
{
	return l->seen; // RACE
}

int main(void)
{
	pthread_t t;

	if (pipe(loop.wake))
		return 1;
	pthread_create(&t, NULL, run, &loop);
	for (int i = 1; i < 10; i++)
		post(&loop, 1, i);
	while (progress(&loop) < 5)
		;
	post(&loop, 0, 0);
	pthread_join(t, NULL);
	return loop.total != 45; // NORACE
}
