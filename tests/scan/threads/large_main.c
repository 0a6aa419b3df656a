/* A large main() that creates and joins a thread for each file: between rounds it is alone, however
 * many ways led there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int size, done;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	(void)arg;
	done += size; // NORACE
	return NULL;
}

#define STEP(n)                                                                                    \
	if (argc == (n))                                                                           \
		puts("option");                                                                    \
	else if (argc == (n) + 1000)                                                               \
		puts("other");
#define STEPS(n)                                                                                   \
	STEP(n)                                                                                    \
	STEP((n) + 1)                                                                              \
	STEP((n) + 2) STEP((n) + 3) STEP((n) + 4) STEP((n) + 5) STEP((n) + 6) STEP((n) + 7)

int main(int argc, char **argv)
{
	pthread_t t;

	STEPS(10)
	STEPS(20)
	STEPS(30)
	STEPS(40)
	STEPS(50)
	STEPS(60)
	STEPS(70)
	STEPS(80)
	if (getenv("A"))
		pthread_mutex_lock(&a);
	if (getenv("B"))
		pthread_mutex_lock(&b);
	if (getenv("C"))
		pthread_mutex_lock(&c);
	for (int i = 1; i < argc; i++) {
		size = argv[i][0]; // NORACE
		int beside = argv[i][1] != 0;

		if (beside)
			pthread_create(&t, NULL, work, NULL);
		if (beside)
			pthread_join(t, NULL);
		printf("%d\n", done); // NORACE
	}
	return 0;
}
