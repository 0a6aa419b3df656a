/* The same ring as a textbook has it, with plain counters. */
#include <pthread.h>

#define SIZE 64

static int slots[SIZE];
static unsigned head, tail;

static int push(int v)
{
	if (tail - head == SIZE) // RACE
		return 0;
	slots[tail % SIZE] = v; // RACE
	tail++;                 // RACE
	return 1;
}

static int pop(int *v)
{
	if (head == tail) // RACE
		return 0;
	*v = slots[head % SIZE]; // RACE
	head++;                  // RACE
	return 1;
}

static void *consumer(void *arg)
{
	long sum = 0;

	for (int n = 0, v; n < 1000;)
		if (pop(&v)) {
			sum += v;
			n++;
		}
	return (void *)sum;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, consumer, NULL);
	for (int i = 0; i < 1000;)
		i += push(i);
	pthread_join(t, NULL);
	return 0;
}
