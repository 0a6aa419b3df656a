/* usage: handoff [racy]: data that is handed over through a pipe is ordered by it; racy: it is not.
 */
#include <pthread.h>
#include <unistd.h>
static int fds[2], data, racy;
static void *reader(void *p)
{
	char c;
	if (racy || read(fds[0], &c, 1) == 1)
		data++;
	return p;
}
int main(int argc, char **argv)
{
	pthread_t t;
	racy = argc > 1 && argv[1][0] == 'r';
	if (pipe(fds) != 0)
		return 2;
	pthread_create(&t, NULL, reader, NULL);
	data = 1;
	if (write(fds[1], "x", 1) != 1)
		return 2;
	pthread_join(t, NULL);
	return data > 0 ? 0 : 1;
}
