/* Streams lock themselves; errno is each thread's own; strtok's state and localtime's result are
 * not. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char line[32] = "a b c";
static int printed;

static void *t_fun(void *arg)
{
	printf("in the thread\n"); // NORACE
	errno = 0;                 // NORACE
	strtok(line, " ");         // RACE
	printed = 1;               // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	printf("in main\n");              // NORACE
	errno = 3;                        // NORACE
	if (printed || line[0] == 'b')    // RACE
		fputs("early\n", stdout); // NORACE
	pthread_join(id, NULL);
	return 0;
}
