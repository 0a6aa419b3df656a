// with: locks/across_files_other.c
/* Main and the thread are in different files and share one variable. */
#include <pthread.h>

extern int gauge;
extern pthread_mutex_t gauge_lock;
void *gauge_thread(void *arg);
void gauge_set(int v);

int main(void)
{
	pthread_t a;

	pthread_create(&a, NULL, gauge_thread, NULL);
	gauge_set(4);
	gauge = 5; // RACE
	pthread_join(a, NULL);
	return gauge; // NORACE
}
