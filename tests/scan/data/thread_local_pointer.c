/* Thread-local storage, and keys. */
#include <pthread.h>
#include <stdlib.h>

static __thread int mine;
static __thread int *my_buffer;
static pthread_key_t key;
static int *leaked;
static int allocations;

static int *buffer(void)
{
	int *p = pthread_getspecific(key);

	if (!p) {
		p = malloc(sizeof(*p));
		*p = 0; // NORACE
		pthread_setspecific(key, p);
		allocations++; // RACE
	}
	return p;
}

static void *t_fun(void *arg)
{
	mine++; // NORACE
	my_buffer = malloc(4);
	*my_buffer = mine; // NORACE
	++*buffer();       // NORACE
	free(my_buffer);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, free);
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	mine = 5;    // NORACE
	++*buffer(); // NORACE
	leaked = &mine;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return *leaked == 4; // NORACE
}
