/* Two threads take turns; a third does not ask. */
#include <pthread.h>

static int turn, board, score;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void wait_turn(int me)
{
	pthread_mutex_lock(&m);
	while (turn != me) // NORACE
		pthread_cond_wait(&changed, &m);
	pthread_mutex_unlock(&m);
}

static void pass_turn(int to)
{
	pthread_mutex_lock(&m);
	turn = to; // NORACE
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&m);
}

static void *black(void *arg)
{
	wait_turn(1);
	board++; // NORACE
	pass_turn(0);
	score++; // RACE
	return NULL;
}

static void *audience(void *arg)
{
	score--; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, black, NULL);
	pthread_create(&b, NULL, audience, NULL);
	wait_turn(0);
	board = 3; // NORACE
	pass_turn(1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return board + score; // NORACE
}
