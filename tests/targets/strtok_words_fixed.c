/* Two threads take lines apart with strtok_r().
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *count_words(void *arg)
{
	char line[] = "one two three four";
	int words = 0;
	char *place;

	for (char *w = strtok_r(line, " ", &place); w; w = strtok_r(NULL, " ", &place))
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
