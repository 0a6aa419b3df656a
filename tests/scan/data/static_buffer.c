/* A function returns a pointer to its static buffer. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char *name_of(int n)
{
	static char buffer[32];

	sprintf(buffer, "thread %d", n); // RACE
	return buffer;
}

static char *name_into(int n, char *buffer)
{
	sprintf(buffer, "thread %d", n); // NORACE
	return buffer;
}

static void *t_fun(void *arg)
{
	char own[32];
	char *s = name_of(1);

	if (s[0] == 'x') // RACE
		return s;
	s = name_into(1, own);
	return s[0] == 'x' ? arg : NULL; // NORACE
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
