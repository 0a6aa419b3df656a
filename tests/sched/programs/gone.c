/* usage: gone closes|execs|waits: programs that do what is unfriendly to whoever watches them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *p)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t;
	char c;
	const char *how = argc > 1 ? argv[1] : "";
	if (strcmp(how, "closes") == 0)
		for (int fd = 0; fd < 1024; fd++)
			close(fd);
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	if (strcmp(how, "execs") == 0)
		execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
	if (strcmp(how, "waits") == 0) {
		int fds[2];
		if (pipe(fds) == 0)
			return (int)read(fds[0], &c, 1);
	}
	return n == 2 ? 0 : 1;
}
