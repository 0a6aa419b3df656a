/* Each thread gets a local of its own by address. */
#include <pthread.h>

static void *add(void *arg)
{
	long *sum = arg;

	*sum += 5; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	long left = 0, right = 0;

	pthread_create(&a, NULL, add, &left);
	pthread_create(&b, NULL, add, &right);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(left + right); // NORACE
}
