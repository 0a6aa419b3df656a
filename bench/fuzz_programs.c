/* Work for `./dev bench fuzz`: fuzz_programs NAME, each with four threads.  The first five compute,
 * the others mostly synchronise. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static long total;

/* The bench finds the accesses in here by its name. */
static __attribute__((noinline, noclone)) void add(long n)
{
	pthread_mutex_lock(&lock);
	total += n;
	pthread_mutex_unlock(&lock);
}

static double a[200][200], b[200][200], c[200][200];

static void *matrix(void *arg)
{
	long part = (long)arg;

	for (long i = part; i < 200; i += THREADS)
		for (int j = 0; j < 200; j++)
			for (int k = 0; k < 200; k++)
				c[i][j] += a[i][k] * b[k][j];
	add((long)c[part][part]);
	return NULL;
}

static void *sieve(void *arg)
{
	enum { N = 2000000 };
	char *composite = calloc(N, 1);
	long primes = 0;

	for (long i = 2; i < N; i++) {
		if (composite[i])
			continue;
		primes++;
		for (long k = i * i; k < N; k += i)
			composite[k] = 1;
	}
	add(primes);
	free(composite);
	return arg;
}

static int by_value(const void *x, const void *y)
{
	int p = *(const int *)x, q = *(const int *)y;

	return p < q ? -1 : p > q;
}

static void *sort(void *arg)
{
	enum { N = 200000 };
	int *v = malloc(N * sizeof(*v));
	unsigned state = (unsigned)(long)arg + 1;

	for (int i = 0; i < N; i++)
		v[i] = (int)(state = state * 1103515245u + 12345u);
	qsort(v, N, sizeof(*v), by_value);
	add(v[0]);
	free(v);
	return NULL;
}

static void *hash(void *arg)
{
	static unsigned char text[1 << 16];
	unsigned long h = (unsigned long)arg;

	for (int round = 0; round < 60; round++)
		for (size_t i = 0; i < sizeof(text); i++)
			h = (h ^ text[i]) * 0x100000001b3ul;
	add((long)(h & 1));
	return NULL;
}

struct node {
	struct node *next;
	long value;
};

static void *lists(void *arg)
{
	for (int round = 0; round < 20; round++) {
		struct node *head = NULL;

		for (long i = 0; i < 5000; i++) {
			struct node *n = malloc(sizeof(*n));

			*n = (struct node){head, i};
			head = n;
		}
		while (head) {
			struct node *n = head;

			head = n->next;
			free(n);
		}
	}
	add(1);
	return arg;
}

static void *locks(void *arg)
{
	for (int i = 0; i < 20000; i++)
		add(1);
	return arg;
}

static int whose;

static void *ping(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < 1500; i++) {
		pthread_mutex_lock(&lock);
		while (whose != me)
			pthread_cond_wait(&turn, &lock);
		whose = (me + 1) % THREADS;
		pthread_cond_broadcast(&turn);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int table[64];

static void *readers(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 10000; i++) {
		if (i % 16 == 0) {
			pthread_rwlock_wrlock(&table_lock);
			table[i % 64]++;
		} else {
			pthread_rwlock_rdlock(&table_lock);
			for (int k = 0; k < 64; k++)
				sum += table[k];
		}
		pthread_rwlock_unlock(&table_lock);
	}
	add(sum & 1);
	return arg;
}

static void *phases(void *arg)
{
	static long cells[THREADS][1024];
	long me = (long)arg;

	for (int i = 0; i < 1000; i++) {
		for (int k = 0; k < 1024; k++)
			cells[me][k] += k;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void *atomics(void *arg)
{
	static atomic_long counter;

	for (int i = 0; i < 20000; i++)
		atomic_fetch_add(&counter, 1);
	return arg;
}

static const struct {
	const char *name;
	void *(*run)(void *arg);
} programs[] = {{"matrix", matrix}, {"sieve", sieve}, {"sort", sort}, {"hash", hash},
	{"lists", lists}, {"locks", locks}, {"ping", ping}, {"readers", readers},
	{"phases", phases}, {"atomics", atomics}};

int main(int argc, char **argv)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (size_t i = 0; argc > 1 && i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (strcmp(argv[1], programs[i].name) != 0)
			continue;
		for (long k = 0; k < THREADS; k++)
			pthread_create(&t[k], NULL, programs[i].run, (void *)k);
		for (long k = 0; k < THREADS; k++)
			pthread_join(t[k], NULL);
		return 0;
	}
	fprintf(stderr, "usage: fuzz_programs NAME\n");
	return 2;
}
