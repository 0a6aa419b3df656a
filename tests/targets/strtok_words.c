/* Two threads take lines apart with strtok(), which keeps its place in a variable of the library.
 *
 * kind: data-race
 * harm: assertion, crash */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *count_words(void *arg)
{
	char line[] = "one two three four";
	int words = 0;

	for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) /* BUG */
		words++;
	assert(words == 4);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, count_words, NULL);
	pthread_create(&b, NULL, count_words, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
