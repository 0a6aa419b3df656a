/* A walk around a linked list: the same pointers again and again, one counter behind. */
#include "async.h"

struct node {
	struct node *next;
	uint64_t visits;
};

int main(void)
{
	struct node *nodes = calloc(1000, sizeof(*nodes)), *p = nodes;

	CHECK(nodes);
	for (int i = 0; i < 1000; i++)
		nodes[i].next = &nodes[(i + 617) % 1000];
	async_counter = &nodes[500].visits;
	async_start();
	for (; async_more(); p = p->next)
		p->visits++;
	say("end at %ld with %lu\n", p - nodes, p->visits);
	free(nodes);
	return 0;
}
