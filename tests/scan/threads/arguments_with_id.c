/* The usual argument struct: own id and own result, and a pointer to something shared. */
#include <pthread.h>

#define N 3

struct shared {
	pthread_mutex_t lock;
	long total;
	long unsafe;
};

struct args {
	int id;
	long result;
	struct shared *shared;
};

static void *work(void *p)
{
	struct args *a = p;

	a->result = a->id * 2; // NORACE
	pthread_mutex_lock(&a->shared->lock);
	a->shared->total += a->result; // NORACE
	pthread_mutex_unlock(&a->shared->lock);
	a->shared->unsafe += a->result; // RACE
	return NULL;
}

int main(void)
{
	struct shared s = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
	struct args a[N];
	pthread_t t[N];

	for (int i = 0; i < N; i++) {
		a[i].id = i;      // NORACE
		a[i].shared = &s; // NORACE
		pthread_create(&t[i], NULL, work, &a[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return (int)(s.total + a[0].result); // NORACE
}
