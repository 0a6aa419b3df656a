/* Objects from a function that is not there: they may be the same one. */
// norun
#include <pthread.h>

struct s {
	int datum, other;
	pthread_mutex_t lock;
};

extern struct s *get_s(void);

static void *t_fun(void *arg)
{
	struct s *p = get_s();

	p->datum = 5; // RACE
	pthread_mutex_lock(&p->lock);
	p->other = 6; // NORACE
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct s *q = get_s();

	pthread_create(&id, NULL, t_fun, NULL);
	q->datum = 6; // RACE
	pthread_mutex_lock(&q->lock);
	q->other = 7; // NORACE
	pthread_mutex_unlock(&q->lock);
	return 0;
}
