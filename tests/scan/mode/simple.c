/* Simple checking: a global variable that is used with no lock at all; members of objects are not
 * looked at. */
// scan: --mode simple
#include <pthread.h>
#include <stdlib.h>

struct item {
	pthread_mutex_t lock;
	int users;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static struct item *item;

static void get(struct item *i)
{
	pthread_mutex_lock(&i->lock);
	i->users++; // NORACE
	pthread_mutex_unlock(&i->lock);
}

static void put(struct item *i)
{
	pthread_mutex_lock(&i->lock);
	i->users--; // NORACE
	pthread_mutex_unlock(&i->lock);
}

static void clear(struct item *i)
{
	i->users = 0; // NORACE
}

static void count(void)
{
	pthread_mutex_lock(&m);
	total++; // MAYBE RACE
	pthread_mutex_unlock(&m);
}

static void recount(void)
{
	total = 0; // RACE
}

static void *work(void *arg)
{
	get(item);
	put(item);
	clear(item);
	count();
	recount();
	return arg;
}

int main(void)
{
	pthread_t s, t;

	item = calloc(1, sizeof(*item));
	pthread_mutex_init(&item->lock, NULL);
	pthread_create(&s, NULL, work, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return total;
}
