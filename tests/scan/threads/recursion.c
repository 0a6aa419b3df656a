/* The shared access is at the bottom of a recursion. */
#include <pthread.h>

static int leaves;

static void walk(int depth)
{
	if (depth == 0) {
		leaves++; // RACE
		return;
	}
	walk(depth - 1);
	walk(depth - 1);
}

static void *walker(void *arg)
{
	walk(5);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, walker, NULL);
	pthread_create(&b, NULL, walker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return leaves; // NORACE
}
