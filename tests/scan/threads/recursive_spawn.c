/* A thread that starts a copy of itself for half of its work. */
#include <pthread.h>

struct range {
	int lo, hi, sum;
};

static int depth_seen;

static void *sum(void *arg)
{
	struct range *r = arg;

	depth_seen++;                   // RACE
	if (r->hi - r->lo < 100) {      // NORACE
		r->sum = r->hi - r->lo; // NORACE
		return NULL;
	}
	struct range left = {r->lo, (r->lo + r->hi) / 2, 0}; // NORACE
	struct range right = {left.hi, r->hi, 0};            // NORACE
	pthread_t t;

	pthread_create(&t, NULL, sum, &left);
	sum(&right);
	pthread_join(t, NULL);
	r->sum = left.sum + right.sum; // NORACE
	return NULL;
}

int main(void)
{
	struct range all = {0, 1000, 0};

	sum(&all);
	return all.sum != 1000; // NORACE
}
