/* C11 threads: thrd_create, mtx_lock, mtx_trylock, call_once, tss. */
#include <threads.h>
#include <stddef.h>

static mtx_t m;
static once_flag flag = ONCE_FLAG_INIT;
static int locked, unlocked, set_once;

static void init(void)
{
	set_once = 5; // NORACE
}

static int worker(void *arg)
{
	call_once(&flag, init);
	mtx_lock(&m);
	locked += set_once; // NORACE
	mtx_unlock(&m);
	unlocked++; // RACE
	if (mtx_trylock(&m) == thrd_success) {
		locked--; // NORACE
		mtx_unlock(&m);
	}
	return 0;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&m, mtx_plain);
	thrd_create(&a, worker, NULL);
	thrd_create(&b, worker, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return locked + unlocked; // NORACE
}
