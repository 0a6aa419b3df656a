/* usage: directed WHAT: statements to be brought together.
 * atomicity: two sections under one lock that belong together; order: use before free. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, paid, wrong;
static int *shared;
static void *pay(void *p)
{
	int enough;
	pthread_mutex_lock(&lock);
	enough = balance >= 10; /* first */
	pthread_mutex_unlock(&lock);
	if (!enough)
		return p;
	pthread_mutex_lock(&lock); /* second */
	balance -= 10;
	paid++;
	if (balance < 0)
		wrong = 1;
	pthread_mutex_unlock(&lock);
	return p;
}
static void *use(void *p)
{
	wrong = *shared != 7; /* use */
	return p;
}
static void *drop(void *p)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	*shared = 0; /* drop */
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	int order = argc > 1 && strcmp(argv[1], "order") == 0;
	shared = malloc(sizeof(int));
	*shared = 7;
	pthread_create(&t[0], NULL, order ? use : pay, NULL);
	pthread_create(&t[1], NULL, order ? drop : pay, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	free(shared);
	return wrong;
}
