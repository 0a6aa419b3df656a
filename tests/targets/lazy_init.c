/* Two users want a table that is made at its first use.  Both see that there is none, both make
 * one, and what the first has put into its own is gone.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct table {
	int entries[2];
};

static struct table *table;

static struct table *get_table(void)
{
	if (!table)                                /* BUG */
		table = calloc(1, sizeof(*table)); /* BUG */
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
