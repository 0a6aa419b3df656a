/* Strings are interned: equal ones have one address.  The table is searched again before it is
 * extended.
 *
 * kind: none */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *table[8];
static int used;
static const char *got[2][2];

static const char *search(const char *s)
{
	for (int i = 0; i < used; i++)
		if (!strcmp(table[i], s))
			return table[i];
	return NULL;
}

static const char *intern(const char *s)
{
	const char *found;
	char *copy;

	pthread_mutex_lock(&lock);
	found = search(s);
	pthread_mutex_unlock(&lock);
	if (found)
		return found;
	copy = strdup(s);
	pthread_mutex_lock(&lock);
	found = search(s);
	if (!found)
		found = table[used++] = copy;
	pthread_mutex_unlock(&lock);
	return found;
}

static void *worker(void *arg)
{
	const char **mine = arg;

	mine[0] = intern("alpha");
	mine[1] = intern("beta");
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, got[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++) {
		if (got[0][i] != got[1][i]) {
			fprintf(stderr, "'%s' is there twice\n", got[0][i]);
			exit(3);
		}
	}
	return 0;
}
