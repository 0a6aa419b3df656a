/* A reader announces which record it uses, and looks again whether it is still the current one.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define READERS 2

struct record {
	int version, check;
};

static _Atomic(struct record *) current, hazard[READERS];

static struct record *make(int version)
{
	struct record *r = malloc(sizeof(*r));

	r->version = version;
	r->check = ~version;
	return r;
}

static void *reader(void *arg)
{
	_Atomic(struct record *) *mine = arg;

	for (int i = 0; i < 3; i++) {
		struct record *r = atomic_load(&current);

		do {
			r = atomic_load(&current);
			atomic_store(mine, r);
		} while (r != atomic_load(&current));
		if (r->version != ~r->check) {
			puts("a record is torn");
			abort();
		}
		atomic_store(mine, NULL);
	}
	return NULL;
}

static int in_use(struct record *r)
{
	for (int i = 0; i < READERS; i++) {
		if (atomic_load(&hazard[i]) == r)
			return 1;
	}
	return 0;
}

static void *writer(void *arg)
{
	struct record *retired[4];
	int n = 0;

	for (int i = 1; i <= 3; i++) {
		retired[n++] = atomic_exchange(&current, make(i));
		for (int k = 0; k < n; k++) {
			if (!in_use(retired[k])) {
				free(retired[k]);
				retired[k--] = retired[--n];
			}
		}
	}
	return arg;
}

int main(void)
{
	pthread_t readers[READERS], w;

	atomic_store(&current, make(0));
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i], NULL, reader, &hazard[i]);
	pthread_create(&w, NULL, writer, NULL);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	pthread_join(w, NULL);
	return 0;
}
