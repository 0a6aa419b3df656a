/* Set up before the first thread and only read afterwards. */
#include <pthread.h>
#include <stdlib.h>

static int table[8];
static int size;
static const char *title = "squares";

static void *look(void *arg)
{
	long sum = 0;

	for (int i = 0; i < size; i++)      // NORACE
		sum += table[i] + title[0]; // NORACE
	return (void *)sum;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	size = 8; // NORACE
	for (int i = 0; i < size; i++)
		table[i] = i * i * argc; // NORACE
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, look, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
