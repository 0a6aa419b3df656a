/* Two pairs of wrappers; one of them takes the lock of another object. */
#include <pthread.h>

struct dev {
	pthread_mutex_t lock;
	int regs, irqs;
};

static struct dev d1 = {PTHREAD_MUTEX_INITIALIZER, 0, 0}, d2 = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void dev_lock(struct dev *d)
{
	pthread_mutex_lock(&d->lock);
}

static void dev_unlock(struct dev *d)
{
	pthread_mutex_unlock(&d->lock);
}

static void *t_fun(void *arg)
{
	struct dev *d = arg;

	dev_lock(d);
	d->regs++; // NORACE
	dev_unlock(d);
	dev_lock(&d2);
	d->irqs++; // RACE
	dev_unlock(&d2);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, &d1);
	dev_lock(&d1);
	d1.regs--; // NORACE
	d1.irqs--; // RACE
	dev_unlock(&d1);
	pthread_join(id, NULL);
	return 0;
}
