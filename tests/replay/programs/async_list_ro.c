/* A walk that writes nothing: round and round a list, counted nowhere. */
#include "async.h"

struct node {
	struct node *next;
	char pad[120];
};

int main(void)
{
	struct node *nodes = calloc(5000, sizeof(*nodes)), *p = nodes;

	CHECK(nodes);
	for (int i = 0; i < 5000; i++)
		nodes[i].next = &nodes[(i + 1777) % 5000];
	async_start();
	while (async_more())
		for (int i = 0; i < 100; i++)
			p = p->next;
	say("end at %ld\n", p - nodes);
	free(nodes);
	return 0;
}
