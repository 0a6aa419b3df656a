/* Bit-fields of one word share it; a zero-width field parts them. */
#include <pthread.h>

struct flags {
	unsigned a : 4;
	unsigned b : 4;
	unsigned : 0;
	unsigned c : 4;
} f;

void *t_fun(void *arg)
{
	f.a = 1; // RACE
	f.c = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	f.b = 1; // RACE
	pthread_join(id, NULL);
	f.c = 2; // NORACE
	return 0;
}
