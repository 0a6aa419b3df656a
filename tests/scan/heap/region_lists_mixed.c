/* The element that was added to one list is still changed under the other list's lock. */
#include <pthread.h>
#include <stdlib.h>

struct s {
	int datum;
	struct s *next;
} * A, *B;

pthread_mutex_t A_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t B_mutex = PTHREAD_MUTEX_INITIALIZER;

void *t_fun(void *arg)
{
	struct s *p = malloc(sizeof(*p));

	p->datum = 7; // NORACE
	pthread_mutex_lock(&A_mutex);
	p->next = A; // NORACE
	A = p;       // NORACE
	pthread_mutex_unlock(&A_mutex);

	pthread_mutex_lock(&B_mutex);
	p->datum++; // RACE
	pthread_mutex_unlock(&B_mutex);
	return NULL;
}

int main(void)
{
	pthread_t t1;
	struct s *p;

	pthread_create(&t1, NULL, t_fun, NULL);
	pthread_mutex_lock(&A_mutex);
	for (p = A; p; p = p->next) // NORACE
		p->datum++;         // RACE
	pthread_mutex_unlock(&A_mutex);
	pthread_join(t1, NULL);
	return 0;
}
