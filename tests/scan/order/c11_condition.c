/* C11 condition variables and thread-local storage. */
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int turn;
static thread_local int spins;

static int second(void *arg)
{
	mtx_lock(&m);
	while (turn == 0) { // NORACE
		cnd_wait(&c, &m);
		spins++; // NORACE
	}
	turn = 2; // NORACE
	mtx_unlock(&m);
	return spins; // NORACE
}

int main(void)
{
	thrd_t t;
	int r;

	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&t, second, NULL);
	mtx_lock(&m);
	turn = 1; // NORACE
	cnd_signal(&c);
	mtx_unlock(&m);
	thrd_join(t, &r);
	return turn != 2; // NORACE
}
