/* string_buffer.c, mended: the source's lock is held from the question to the copy.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct buffer {
	pthread_mutex_t lock;
	size_t length;
	char text[32];
};

static struct buffer source = {PTHREAD_MUTEX_INITIALIZER, 11, "hello world"};
static struct buffer target = {PTHREAD_MUTEX_INITIALIZER, 0, ""};

static void *append(void *arg)
{
	pthread_mutex_lock(&target.lock);
	pthread_mutex_lock(&source.lock);
	target.length = source.length;
	assert(target.length <= source.length);
	memcpy(target.text, source.text, target.length);
	pthread_mutex_unlock(&source.lock);
	pthread_mutex_unlock(&target.lock);
	return arg;
}

static void *erase(void *arg)
{
	pthread_mutex_lock(&source.lock);
	source.length = 0;
	memset(source.text, 0, sizeof(source.text));
	pthread_mutex_unlock(&source.lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, append, NULL);
	pthread_create(&two, NULL, erase, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
