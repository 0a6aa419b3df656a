/* A byte of a number is a part of it: elements of different sizes meet, or do not. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t table[3];

struct part {
	uint32_t low;
} __attribute__((packed));

static void *whole(void *arg)
{
	int *p = arg;

	p[0] = 1;     // RACE
	p[3] = 1;     // NORACE
	table[0] = 1; // RACE
	table[2] = 1; // RACE
	return NULL;
}

static void *bytes(void *arg)
{
	char *p = arg;

	p[2] = 1;                            // RACE
	p[7] = 1;                            // NORACE
	((struct part *)&table[0])->low = 2; // RACE
	((struct part *)&table[1])->low = 2; // NORACE
	((struct part *)&table[2])->low = 2; // RACE
	return NULL;
}

int main(void)
{
	int *data = malloc(4 * sizeof(*data));
	pthread_t a, b;

	pthread_create(&a, NULL, whole, data);
	pthread_create(&b, NULL, bytes, data);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
