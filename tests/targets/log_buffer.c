/* Two threads append to a log buffer.  The text is copied to the end and the end is moved
 * afterwards, so that two lines are written over each other.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[64];
static size_t length;

static void *writer(void *arg)
{
	const char *line = arg;
	size_t size = strlen(line);

	memcpy(buffer + length, line, size); /* BUG */
	length += size;                      /* BUG */
	return NULL;
}

int main(void)
{
	static char get[] = "GET /index 200\n", put[] = "PUT /upload 403\n";
	pthread_t one, two;

	pthread_create(&one, NULL, writer, get);
	pthread_create(&two, NULL, writer, put);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(length == strlen(get) + strlen(put));
	assert(strstr(buffer, get) && strstr(buffer, put));
	return 0;
}
