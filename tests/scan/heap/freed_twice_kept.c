/* One thread frees what another may still use; the fixed half waits for it. */
#include <pthread.h>
#include <stdlib.h>

struct msg {
	int body;
};

struct msg *m1, *m2;

void *use(void *arg)
{
	struct msg *m = m1;

	m->body++; // RACE
	return NULL;
}

void *use2(void *arg)
{
	m2->body++; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	m1 = calloc(1, sizeof(*m1));
	m2 = calloc(1, sizeof(*m2));
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, use2, NULL);
	pthread_join(b, NULL);
	free(m2); // NORACE
	free(m1); // RACE
	pthread_join(a, NULL);
	return 0;
}
