/* Two locks in both orders. */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* inner one */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return p;
}
static void *two(void *p)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); /* inner two */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return p;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
