/* The C11 interface: thrd, mtx, cnd, tss, call_once. */
#include "t.h"
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static int turn;

static void init(void)
{
	CHECK(mtx_init(&m, mtx_timed) == thrd_success && cnd_init(&c) == thrd_success);
}

static int body(void *arg)
{
	int self = *(int *)arg;

	call_once(&once, init);
	for (int i = 0; i < 10; i++) {
		CHECK(mtx_lock(&m) == thrd_success);
		while (turn % 3 != self)
			CHECK(cnd_wait(&c, &m) == thrd_success);
		say("%d at %lu\n", self, t_now_ns());
		turn++;
		CHECK(cnd_broadcast(&c) == thrd_success);
		CHECK(mtx_unlock(&m) == thrd_success);
	}
	return self + 100;
}

int main(void)
{
	int id[3] = {0, 1, 2}, r;
	thrd_t th[3];

	for (int i = 0; i < 3; i++)
		CHECK(thrd_create(&th[i], body, &id[i]) == thrd_success);
	for (int i = 0; i < 3; i++) {
		CHECK(thrd_join(th[i], &r) == thrd_success);
		CHECK(r == 100 + i);
	}
	return 0;
}
