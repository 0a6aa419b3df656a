/* Main joins the child, and the child joined the grandchild. */
#include <pthread.h>

static int tasks;

static void *grandchild(void *arg)
{
	tasks++; // NORACE
	return NULL;
}

static void *child(void *arg)
{
	pthread_t t;

	tasks++; // NORACE
	pthread_create(&t, NULL, grandchild, NULL);
	pthread_join(t, NULL);
	tasks++; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, child, NULL);
	pthread_join(t, NULL);
	return tasks; // NORACE
}
