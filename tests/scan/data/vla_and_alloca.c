/* Arrays of the stack with a size that is not known. */
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct task {
	int *cells;
	int n;
	int errors;
};

static void *t_fun(void *arg)
{
	struct task *t = arg;
	int *tmp = alloca(t->n * sizeof(int)); // NORACE
	int vla[t->n];

	memset(tmp, 0, t->n * sizeof(int)); // NORACE
	vla[0] = tmp[0];                    // NORACE
	t->cells[0] = vla[0];               // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc + 4;
	int cells[n];
	struct task t = {cells, n, 0};
	pthread_t id;

	cells[0] = 2; // NORACE
	pthread_create(&id, NULL, t_fun, &t);
	cells[0] = 3; // RACE
	t.errors = 1; // NORACE
	pthread_join(id, NULL);
	return cells[0]; // NORACE
}
