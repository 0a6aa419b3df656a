/* An unlocked shared table: threads overwrite each other's cells. */
#include "t.h"

static volatile uint32_t table[1024];

static void *body(void *arg)
{
	uint32_t who = (uint32_t)(intptr_t)arg;

	for (uint32_t i = 0; i < 300000; i++) {
		uint32_t k = (i * 7919 + who * 31) & 1023;

		table[k] = table[k] * 3 + who + table[(k + 1) & 1023];
	}
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)(i + 1)));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	say("table %016lx\n", t_hash((const void *)table, sizeof(table)));
	return 0;
}
