/* A function that calls itself and creates a thread each time: parallel sum. */
#include <pthread.h>

struct range {
	int *array;
	int low, high, sum;
};

static int splits, input[64];

static void *sum(void *arg)
{
	struct range *r = arg;
	struct range l, h;
	pthread_t t;

	if (r->high - r->low < 8) { // NORACE
		for (int i = r->low; i < r->high; i++)
			r->sum += r->array[i]; // NORACE
		return NULL;
	}
	splits++; // RACE
	l = (struct range){r->array, r->low, (r->low + r->high) / 2, 0};
	h = (struct range){r->array, (r->low + r->high) / 2, r->high, 0};
	pthread_create(&t, NULL, sum, &l);
	sum(&h);
	pthread_join(t, NULL);
	r->sum = l.sum + h.sum; // NORACE
	return NULL;
}

int main(void)
{
	struct range all = {input, 0, 64, 0};

	for (int i = 0; i < 64; i++)
		input[i] = i; // NORACE
	sum(&all);
	return all.sum + splits == 1; // MISS NORACE
}
