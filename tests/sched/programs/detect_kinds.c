/* One of each kind that a prediction finds.  The comments name kind and letter: the lines of a
 * letter are the statements of one candidate. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int plain, balance, published, copied[16], safe;
static char text[64];
static const char *volatile name = "one";
static int *block;
static atomic_int flag;

static void take(int amount)
{
	int now;

	pthread_mutex_lock(&m);
	now = balance; /* atomicity B */
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	balance = now - amount; /* atomicity B */
	pthread_mutex_unlock(&m);
}

static void *one(void *unused)
{
	plain = 1; /* race A */
	take(10);
	pthread_mutex_lock(&m);
	published = 1; /* order C */
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&n); /* deadlock D */
	safe++;
	pthread_mutex_unlock(&n);
	pthread_mutex_unlock(&m);
	copied[3] = 1; /* race E */
	pthread_mutex_lock(&m);
	block[2] = 1; /* order F */
	pthread_mutex_unlock(&m);
	strcpy(text, name); /* race G */
	atomic_store(&flag, 1);
	return unused;
}

static void *two(void *unused)
{
	int other[16];
	int seen = plain; /* race A */

	pthread_mutex_lock(&m);
	balance = 100; /* atomicity B */
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	if (published) /* order C */
		safe++;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&n);
	pthread_mutex_lock(&m); /* deadlock D */
	safe++;
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&n);
	memcpy(other, copied, sizeof(other)); /* race E */
	pthread_mutex_lock(&m);
	free(block); /* order F */
	pthread_mutex_unlock(&m);
	if (strlen(text) > 100) /* race G */
		abort();
	return atomic_load(&flag) + seen + other[0] > 100 ? &flag : unused;
}

int main(void)
{
	pthread_t t[2];

	block = calloc(8, sizeof(*block));
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
