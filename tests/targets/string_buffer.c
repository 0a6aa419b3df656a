/* Appending one buffer to another asks for its length, makes room, and copies that many
 * characters.  Each step holds the source's lock, but the source may be cut in between: the copy
 * reads behind its end.
 *
 * kind: atomicity-violation
 * harm: assertion */
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

static size_t length_of(struct buffer *b)
{
	size_t n;

	pthread_mutex_lock(&b->lock); /* BUG */
	n = b->length;
	pthread_mutex_unlock(&b->lock);
	return n;
}

static void copy_from(struct buffer *b, size_t n, char *to)
{
	pthread_mutex_lock(&b->lock); /* BUG */
	assert(n <= b->length);
	memcpy(to, b->text, n);
	pthread_mutex_unlock(&b->lock);
}

static void *append(void *arg)
{
	pthread_mutex_lock(&target.lock);
	target.length = length_of(&source);
	copy_from(&source, target.length, target.text);
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
