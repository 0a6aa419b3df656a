/* Thread-local variables and keys with destructors. */
#include "t.h"

static __thread uint64_t mine = 42;
static __thread char big[20000];
static pthread_key_t key;

static void destroy(void *v)
{
	say("destroy %lu in %s\n", *(uint64_t *)v, gettid() == getpid() ? "main" : "thread");
	free(v);
}

static void *body(void *arg)
{
	uint64_t *v = malloc(sizeof(*v));

	CHECK(v && mine == 42);
	mine += (uint64_t)(intptr_t)arg;
	memset(big, (int)mine, sizeof(big));
	*v = mine * 10 + t_rand() % 10;
	TRY0(pthread_setspecific(key, v));
	sched_yield();
	CHECK(pthread_getspecific(key) == v && mine == 42 + (uint64_t)(intptr_t)arg);
	say("thread %ld at %p\n", (long)(intptr_t)arg, (void *)&mine);
	return NULL;
}

int main(void)
{
	pthread_t th[4];

	TRY0(pthread_key_create(&key, destroy));
	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	CHECK(mine == 42 && pthread_getspecific(key) == NULL);
	return 0;
}
