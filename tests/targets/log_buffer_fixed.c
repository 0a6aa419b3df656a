/* log_buffer.c, mended: the buffer has a lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[64];
static size_t length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
	const char *line = arg;
	size_t size = strlen(line);

	pthread_mutex_lock(&lock);
	memcpy(buffer + length, line, size);
	length += size;
	pthread_mutex_unlock(&lock);
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
