/* _Atomic members and a plain neighbour. */
#include <pthread.h>
#include <stdatomic.h>

struct stats {
	_Atomic int hits;
	int misses;
	atomic_flag busy;
	int under_flag;
} stats = {0, 0, ATOMIC_FLAG_INIT, 0};

void *t_fun(void *arg)
{
	stats.hits++;                     // NORACE
	atomic_fetch_add(&stats.hits, 2); // NORACE
	stats.misses++;                   // RACE
	while (atomic_flag_test_and_set(&stats.busy))
		;
	stats.under_flag++; // NORACE
	atomic_flag_clear(&stats.busy);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	stats.hits = 4;   // NORACE
	stats.misses = 4; // RACE
	while (atomic_flag_test_and_set(&stats.busy))
		;
	stats.under_flag--; // NORACE
	atomic_flag_clear(&stats.busy);
	pthread_join(id, NULL);
	return stats.hits; // NORACE
}
