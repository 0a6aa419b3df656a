/* A handler that logs into the list which the program is growing. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int *list;
static size_t used, room;

static void add(int v)
{
	if (used == room) {
		room = room ? room * 2 : 16;
		list = realloc(list, room * sizeof(*list));
	}
	list[used++] = v;
}

static void on_alarm(int sig)
{
	add(-sig);
	alarm(1);
}

int main(void)
{
	signal(SIGALRM, on_alarm);
	alarm(1);
	for (int i = 0; i < 1000000; i++)
		add(i);
	return 0;
}
