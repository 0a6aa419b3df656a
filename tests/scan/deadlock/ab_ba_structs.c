/* Transfer between two accounts, the locks in the order of the arguments. */
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
} a = {PTHREAD_MUTEX_INITIALIZER, 100}, b = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int n)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock); // DEADLOCK
	from->balance -= n;            // NORACE
	to->balance += n;              // NORACE
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

void *t_fun(void *arg)
{
	transfer(&a, &b, 5);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	transfer(&b, &a, 3);
	pthread_join(id, NULL);
	return a.balance + b.balance == 200; // NORACE
}
