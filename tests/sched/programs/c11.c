/* <threads.h> */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #x), exit(1)))
static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static int count, ready, initialised;
static void init(void)
{
	initialised++;
}
static int worker(void *p)
{
	call_once(&once, init);
	CHECK(mtx_lock(&m) == thrd_success);
	while (!ready)
		cnd_wait(&c, &m);
	count++;
	mtx_unlock(&m);
	thrd_yield();
	thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL);
	return (int)(long)p;
}
int main(void)
{
	thrd_t t[3];
	struct timespec now;
	CHECK(mtx_init(&m, mtx_timed) == thrd_success && cnd_init(&c) == thrd_success);
	for (long i = 0; i < 3; i++)
		CHECK(thrd_create(&t[i], worker, (void *)i) == thrd_success);
	mtx_lock(&m);
	ready = 1;
	cnd_broadcast(&c);
	timespec_get(&now, TIME_UTC);
	mtx_unlock(&m);
	for (int i = 0; i < 3; i++) {
		int r;
		CHECK(thrd_join(t[i], &r) == thrd_success && r == i);
	}
	CHECK(count == 3 && initialised == 1);
	CHECK(mtx_trylock(&m) == thrd_success && mtx_trylock(&m) == thrd_busy);
	return 0;
}
