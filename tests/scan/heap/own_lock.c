/* p->lock protects p->data of the same p. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long money;
};

static struct account *open_account(long money)
{
	struct account *a = malloc(sizeof(*a));

	pthread_mutex_init(&a->lock, NULL);
	a->money = money; // NORACE
	return a;
}

static void deposit(struct account *a, long n)
{
	pthread_mutex_lock(&a->lock);
	a->money += n; // NORACE
	pthread_mutex_unlock(&a->lock);
}

static struct account *mine, *yours;

static void *worker(void *arg)
{
	deposit(mine, 3);  // NORACE
	deposit(yours, 4); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	mine = open_account(1);
	yours = open_account(2);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(mine->money + yours->money); // NORACE
}
