/* The table is filled after the readers have started. */
#include <pthread.h>

static int table[8];
static int size;

static void *look(void *arg)
{
	long sum = 0;

	for (int i = 0; i < size; i++) // RACE
		sum += table[i];       // RACE
	return (void *)sum;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, look, NULL);
	for (int i = 0; i < 8; i++)
		table[i] = i * i * argc; // RACE
	size = 8;                        // RACE
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
