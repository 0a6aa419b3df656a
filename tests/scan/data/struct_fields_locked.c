/* Two members, one mutex for each. */
#include <pthread.h>

static struct {
	int x, y, z;
	pthread_mutex_t mx, my;
} s = {.mx = PTHREAD_MUTEX_INITIALIZER, .my = PTHREAD_MUTEX_INITIALIZER};

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&s.mx);
	s.x++; // NORACE
	s.z++; // RACE
	pthread_mutex_unlock(&s.mx);
	pthread_mutex_lock(&s.my);
	s.y++; // NORACE
	pthread_mutex_unlock(&s.my);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&s.mx);
	s.x++; // NORACE
	pthread_mutex_unlock(&s.mx);
	pthread_mutex_lock(&s.my);
	s.y++; // NORACE
	s.z++; // RACE
	pthread_mutex_unlock(&s.my);
	pthread_join(id, NULL);
	return 0;
}
