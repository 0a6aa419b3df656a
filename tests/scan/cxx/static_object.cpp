// What initialises static objects runs before main(): the memory that it makes is shared.
#include <pthread.h>

static int *numbers = new int[4];
static int *guarded = new int(1);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	numbers[1] = 1; // RACE
	numbers[2] = 1; // NORACE
	pthread_mutex_lock(&m);
	*guarded += 1; // NORACE
	pthread_mutex_unlock(&m);
	return nullptr;
}

static void *second(void *arg)
{
	numbers[1] = 2; // RACE
	pthread_mutex_lock(&m);
	*guarded += 2; // NORACE
	pthread_mutex_unlock(&m);
	return nullptr;
}

int main()
{
	pthread_t a, b;

	numbers[1] = 0; // NORACE
	pthread_create(&a, nullptr, first, nullptr);
	pthread_create(&b, nullptr, second, nullptr);
	pthread_join(a, nullptr);
	pthread_join(b, nullptr);
	return *guarded + numbers[2]; // NORACE
}
