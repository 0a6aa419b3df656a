/* Prints more than anybody wants to keep. */
#include <pthread.h>
#include <stdio.h>

static void *print(void *arg)
{
	for (int i = 0; i < 20000; i++)
		printf("%d: all work and no play makes a dull program, and a long log as well\n",
			i);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, print, NULL);
	pthread_create(&two, NULL, print, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
