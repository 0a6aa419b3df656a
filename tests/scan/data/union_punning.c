/* Two members of a union are one place; two members of a struct inside are not. */
#include <pthread.h>

union value {
	int i;
	float f;
	struct {
		short lo, hi;
	} parts;
} u, w;

void *t_fun(void *arg)
{
	u.i = 1;        // RACE
	w.parts.lo = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	u.f = 2.0f;     // RACE
	w.parts.hi = 2; // NORACE
	pthread_join(id, NULL);
	return u.i; // NORACE
}
