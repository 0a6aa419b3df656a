/* lazy_init.c, mended: pthread_once makes the table.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct table {
	int entries[2];
};

static struct table *table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
	table = calloc(1, sizeof(*table));
}

static struct table *get_table(void)
{
	pthread_once(&once, make_table);
	return table;
}

static void *user(void *arg)
{
	long i = (long)arg;

	get_table()->entries[i] = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, user, (void *)1L);
	user(NULL);
	pthread_join(t, NULL);
	assert(table->entries[0] + table->entries[1] == 2);
	free(table);
	return 0;
}
