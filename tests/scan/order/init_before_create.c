/* Everything is set up before the threads; they only read it. */
#include <pthread.h>
#include <stdlib.h>

struct config {
	int size;
	const char *name;
	int *weights;
};

static struct config conf;
static int sum;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void setup(struct config *c, int n)
{
	c->size = n;                                  // NORACE
	c->name = "x";                                // NORACE
	c->weights = malloc(n * sizeof(*c->weights)); // NORACE
	for (int i = 0; i < n; i++)
		c->weights[i] = i; // NORACE
}

static void *worker(void *arg)
{
	int s = 0;

	for (int i = 0; i < conf.size; i++) // NORACE
		s += conf.weights[i];       // NORACE
	pthread_mutex_lock(&m);
	sum += s; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	setup(&conf, 10);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	free(conf.weights); // NORACE
	return sum;         // NORACE
}
