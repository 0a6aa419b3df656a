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
	pthread_t users[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, user, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	assert(table->entries[0] + table->entries[1] == 2);
	free(table);
	return 0;
}
