/* A lock is made, and another one destroyed, while others may use them. */
#include <pthread.h>

static pthread_mutex_t late, early, gone;
static int count, other, third;

static void *makes(void *arg)
{
	pthread_mutex_init(&late, NULL); // RACE
	pthread_mutex_lock(&late);       // NORACE
	count++;                         // NORACE
	pthread_mutex_unlock(&late);
	pthread_mutex_lock(&early); // NORACE
	other++;                    // NORACE
	pthread_mutex_unlock(&early);
	return NULL;
}

static void *uses(void *arg)
{
	pthread_mutex_lock(&late); // RACE
	count++;                   // NORACE
	pthread_mutex_unlock(&late);
	pthread_mutex_lock(&early); // NORACE
	other++;                    // NORACE
	pthread_mutex_unlock(&early);
	pthread_mutex_lock(&gone); // RACE
	third++;                   // NORACE
	pthread_mutex_unlock(&gone);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_mutex_init(&early, NULL); // NORACE
	pthread_mutex_init(&gone, NULL);  // NORACE
	pthread_create(&a, NULL, makes, NULL);
	pthread_create(&b, NULL, uses, NULL);
	pthread_mutex_destroy(&gone); // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_destroy(&early); // NORACE
	pthread_mutex_destroy(&late);  // NORACE
	return count + other + third;  // NORACE
}
