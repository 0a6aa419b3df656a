/* A 16-byte value is torn even by a plain reader. */
#include <pthread.h>

struct span {
	long from, to;
};

static struct span window;

static void set_window(long from, long to)
{
	window.from = from; // RACE
	window.to = to;     // RACE
}

static void *slider(void *arg)
{
	for (long i = 0; i < 100; i++)
		set_window(i, i + 10);
	return NULL;
}

static void *watcher(void *arg)
{
	long bad = 0;

	for (int i = 0; i < 100; i++)
		bad += window.to - window.from != 10; // RACE
	return (void *)bad;
}

int main(void)
{
	pthread_t a, b;

	set_window(0, 10);
	pthread_create(&a, NULL, slider, NULL);
	pthread_create(&b, NULL, watcher, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
