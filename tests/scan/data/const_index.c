/* Constant indices of one array: element 0 is shared, 1 and 2 are not. */
#include <pthread.h>

static int regs[3];

static void *left(void *arg)
{
	regs[0] = 1; // RACE
	regs[1] = 1; // NORACE
	return NULL;
}

static void *right(void *arg)
{
	regs[0] = 2; // RACE
	regs[2] = 2; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, left, NULL);
	pthread_create(&b, NULL, right, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return regs[0] + regs[1] + regs[2]; // NORACE
}
