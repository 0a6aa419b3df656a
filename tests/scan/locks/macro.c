/* Lock and unlock hide in macros that are one statement. */
#include <pthread.h>

#define WITH_LOCK(m, what)                                                                         \
	do {                                                                                       \
		pthread_mutex_lock(m);                                                             \
		what;                                                                              \
		pthread_mutex_unlock(m);                                                           \
	} while (0)

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int credits, debits;

static void *teller(void *arg)
{
	WITH_LOCK(&m, credits++); // NORACE
	WITH_LOCK(&m, debits--);  // RACE
	return NULL;
}

static void *auditor(void *arg)
{
	WITH_LOCK(&m, credits--); // NORACE
	debits++;                 // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, teller, NULL);
	pthread_create(&b, NULL, auditor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return credits + debits; // NORACE
}
