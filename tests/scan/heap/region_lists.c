/* Two lists, each with a lock of its own; one element of the second is reached under the first. */
#include <pthread.h>
#include <stdlib.h>

struct s {
	int datum;
	struct s *next;
} * A, *B;

pthread_mutex_t A_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t B_mutex = PTHREAD_MUTEX_INITIALIZER;

static void init(struct s *p, int x)
{
	p->datum = x;   // NORACE
	p->next = NULL; // NORACE
}

static void insert(struct s *p, struct s **list)
{
	p->next = *list; // NORACE
	*list = p;       // NORACE
}

void *t_fun(void *arg)
{
	struct s *p = malloc(sizeof(*p));

	init(p, 7);
	pthread_mutex_lock(&A_mutex);
	insert(p, &A);
	pthread_mutex_unlock(&A_mutex);

	p = malloc(sizeof(*p));
	init(p, 9);
	pthread_mutex_lock(&B_mutex);
	insert(p, &B);
	pthread_mutex_unlock(&B_mutex);
	return NULL;
}

int main(void)
{
	pthread_t t1;
	struct s *p;

	A = malloc(sizeof(*A));
	init(A, 3);
	B = malloc(sizeof(*B));
	init(B, 5);
	pthread_create(&t1, NULL, t_fun, NULL);

	pthread_mutex_lock(&A_mutex);
	for (p = A; p->next; p = p->next) // NORACE
		p->datum++;               // NORACE
	pthread_mutex_unlock(&A_mutex);

	pthread_mutex_lock(&B_mutex);
	p = B->next; // NORACE
	if (p)
		p->datum++; // NORACE
	pthread_mutex_unlock(&B_mutex);
	pthread_join(t1, NULL);
	return 0;
}
