/* read() and sscanf() write through pointers. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int number, fd_pair[2];
static char inbox[8], outbox[8] = "42";

static void *t_fun(void *arg)
{
	sscanf("17", "%d", &number);                    // RACE
	if (read(fd_pair[0], inbox, sizeof(inbox)) < 0) // RACE
		return NULL;
	return arg;
}

int main(void)
{
	pthread_t id;

	if (pipe(fd_pair)) // NORACE
		return 1;
	pthread_create(&id, NULL, t_fun, NULL);
	number++;                              // RACE
	inbox[0] = 0;                          // RACE
	if (write(fd_pair[1], outbox, 3) != 3) // NORACE
		return 1;
	pthread_join(id, NULL);
	return inbox[0] + number == 0; // NORACE
}
