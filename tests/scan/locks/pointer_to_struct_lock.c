/* Two structs point at the same lock; a third at another one. */
#include <pthread.h>
#include <stdlib.h>

struct box {
	pthread_mutex_t *lock;
	int *value;
};

int shared_one, shared_two;
pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
struct box first = {&l1, &shared_one};
struct box second = {&l1, &shared_one};
struct box third = {&l1, &shared_two};
struct box fourth = {&l2, &shared_two};

void *t_fun(void *arg)
{
	pthread_mutex_lock(first.lock);
	*first.value = 4; // NORACE
	pthread_mutex_unlock(first.lock);

	pthread_mutex_lock(third.lock);
	*third.value = 5; // RACE
	pthread_mutex_unlock(third.lock);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(second.lock);
	*second.value = 6; // NORACE
	pthread_mutex_unlock(second.lock);

	pthread_mutex_lock(fourth.lock);
	*fourth.value = 7; // RACE
	pthread_mutex_unlock(fourth.lock);
	pthread_join(id, NULL);
	return 0;
}
