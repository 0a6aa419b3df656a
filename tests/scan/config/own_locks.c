/* Lock functions that only the user knows, from a table. */
// scan: --config config/own_locks.conf
// norun
#include <pthread.h>

struct gate {
	int id;
};

void gate_enter(struct gate *g);
void gate_leave(struct gate *g);
int gate_try(struct gate *g);
void spawn(void (*run)(int), int arg);

static struct gate g;
static int inside, tried, outside;

static void work(int n)
{
	gate_enter(&g);
	inside += n; // NORACE
	gate_leave(&g);
	if (gate_try(&g)) {
		tried += n; // NORACE
		gate_leave(&g);
	}
	outside += n; // RACE
}

int main(void)
{
	spawn(work, 1);
	spawn(work, 2);
	return 0;
}
