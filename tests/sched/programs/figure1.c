/* Figure 1 of the RaceFuzzer paper: (5,7) is a race, (1,10) is not. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z, error;
static void *thread1(void *p)
{
	x = 1; /* statement 1 */
	pthread_mutex_lock(&lock);
	y = 1;
	pthread_mutex_unlock(&lock);
	if (z == 1) /* statement 5 */
		error = 1;
	return p;
}
static void *thread2(void *p)
{
	z = 1; /* statement 7 */
	pthread_mutex_lock(&lock);
	if (y == 1)
		if (x != 1) /* statement 10 */
			error = 2;
	pthread_mutex_unlock(&lock);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, thread1, NULL);
	pthread_create(&t[1], NULL, thread2, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return error;
}
