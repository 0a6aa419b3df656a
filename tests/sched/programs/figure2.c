/* Figure 2 of the RaceFuzzer paper.  usage: figure2 STATEMENTS */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, error, work, n;
static void *thread1(void *p)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		work += i;
	pthread_mutex_unlock(&lock);
	if (x == 0) /* statement 8 */
		error = 1;
	return p;
}
static void *thread2(void *p)
{
	x = 1; /* statement 10 */
	pthread_mutex_lock(&lock);
	work++;
	pthread_mutex_unlock(&lock);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	n = argc > 1 ? atoi(argv[1]) : 10;
	pthread_create(&t[0], NULL, thread1, NULL);
	pthread_create(&t[1], NULL, thread2, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return error;
}
