/* Every thread writes only the slot that it was given. */
#include <pthread.h>

#define THREADS 4

struct slot {
	int in, out;
};

static struct slot slots[THREADS];

static void *fill(void *arg)
{
	struct slot *mine = arg;

	for (int i = 0; i < 100; i++)
		mine->out += mine->in; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];
	int sum = 0;

	for (int i = 0; i < THREADS; i++) {
		slots[i].in = i; // NORACE
		pthread_create(&t[i], NULL, fill, &slots[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS; i++)
		sum += slots[i].out; // NORACE
	return sum != 600;
}
