/* A library's lock of which nothing is known but its attributes, tried without a look at the
 * answer. */
// norun
#include <pthread.h>

#ifdef __clang__
#define SAYS(...) __attribute__((__VA_ARGS__))
#else
#define SAYS(...)
#endif

struct gate;
extern struct gate *the_gate;
static int n;

void gate_enter(struct gate *g) SAYS(acquire_capability(*g));
int gate_try(struct gate *g) SAYS(try_acquire_capability(1, *g));
void gate_leave(struct gate *g) SAYS(release_capability(*g));

static void bump(void)
{
	if (!gate_try(the_gate))
		n++; // RACE
	else
		gate_leave(the_gate);
}

static void *work(void *arg)
{
	gate_enter(the_gate);
	n++; // RACE
	gate_leave(the_gate);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	bump();
	pthread_join(t, NULL);
	return 0;
}
