/* Who has read from a pipe comes behind what the writer did before. */
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int before, behind;

static void *sends(void *arg)
{
	before = 42; // NORACE
	while (write(ends[1], "a", 1) != 1)
		;
	behind = 42; // RACE
	return NULL;
}

static void *receives(void *arg)
{
	char c;

	while (read(ends[0], &c, 1) != 1)
		;
	before = 43; // NORACE
	behind = 43; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	if (pipe(ends))
		return 1;
	pthread_create(&a, NULL, sends, NULL);
	pthread_create(&b, NULL, receives, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
