/* Reading a file waits for nobody, and neither does reading another pipe. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], others[2];
static int shown, counted;

static void *sends(void *arg)
{
	shown = 42;   // RACE
	counted = 42; // RACE
	if (write(ends[1], "a", 1) != 1)
		return arg;
	return NULL;
}

int main(void)
{
	int file = open("/etc/hostname", O_RDONLY);
	pthread_t id;
	char c;

	if (pipe(ends) || pipe(others) || write(others[1], "b", 1) != 1)
		return 1;
	pthread_create(&id, NULL, sends, NULL);
	if (read(file, &c, 1) != 1)
		return 2;
	shown = 43; // RACE
	if (read(others[0], &c, 1) != 1)
		return 2;
	counted = 43; // RACE
	pthread_join(id, NULL);
	return 0;
}
