/* The numbers are compared, but both ways lock the same one first. */
#include <pthread.h>

struct account {
	int number, balance;
	pthread_mutex_t m;
};

static struct account a = {1, 100, PTHREAD_MUTEX_INITIALIZER};
static struct account b = {2, 100, PTHREAD_MUTEX_INITIALIZER};

static void transfer(struct account *from, struct account *to)
{
	if (from->number == to->number)
		return;
	if (from->number < to->number) {
		pthread_mutex_lock(&from->m); // DEADLOCK
		pthread_mutex_lock(&to->m);   // DEADLOCK
	} else {
		pthread_mutex_lock(&from->m); // DEADLOCK
		pthread_mutex_lock(&to->m);   // DEADLOCK
	}
	from->balance--; // NORACE
	to->balance++;   // NORACE
	pthread_mutex_unlock(&from->m);
	pthread_mutex_unlock(&to->m);
}

static void *there(void *arg)
{
	transfer(&a, &b);
	return NULL;
}

static void *back(void *arg)
{
	transfer(&b, &a);
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	a.number = 3;
	pthread_create(&t, NULL, there, NULL);
	pthread_create(&u, NULL, back, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
