/* The recursion runs with the lock that its first caller took. */
#include <pthread.h>

static int leaves;
static pthread_mutex_t tree_lock = PTHREAD_MUTEX_INITIALIZER;

static void walk(int depth)
{
	if (depth == 0) {
		leaves++; // NORACE
		return;
	}
	walk(depth - 1);
	walk(depth - 1);
}

static void *walker(void *arg)
{
	pthread_mutex_lock(&tree_lock);
	walk(5);
	pthread_mutex_unlock(&tree_lock);
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
