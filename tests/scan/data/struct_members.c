/* Two members, two locks; a third member has none. */
#include <pthread.h>

struct s {
	int a, b, c;
	pthread_mutex_t la, lb;
} s = {0, 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *t_fun(void *arg)
{
	struct s *p = arg;

	pthread_mutex_lock(&p->la);
	p->a = 1; // NORACE
	p->c = 1; // RACE
	pthread_mutex_unlock(&p->la);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, &s);
	pthread_mutex_lock(&s.lb);
	s.b = 1; // NORACE
	s.c = 2; // RACE
	pthread_mutex_unlock(&s.lb);
	pthread_mutex_lock(&s.la);
	s.a = 2; // NORACE
	pthread_mutex_unlock(&s.la);
	pthread_join(id, NULL);
	return 0;
}
