/* Says where its own parts are, "name address line" each, and then waits deep in a stack: the
 * tests of this folder look at it from outside and compare. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct node {
	int id;
	struct {
		short tag;
		char text[6];
	} in;
	union {
		struct node *next;
		long number;
	};
	unsigned low : 3, high : 5;
};

struct node table[10];
static int matrix[3][4][5];
static volatile int counter;
const char *volatile label = "label";

#define NOINLINE __attribute__((noinline))
#define HERE(p)  __asm__ volatile("1: leaq 1b(%%rip), %0" : "=r"(p))

static void say(const char *name, const volatile void *addr, int line)
{
	printf("%s %lx %d\n", name, (unsigned long)addr, line);
}

static inline __attribute__((always_inline)) void *innermost(void)
{
	void *p;

	HERE(p);
	return p;
}

static inline __attribute__((always_inline)) void *middle(void)
{
	void *p = innermost();

	counter++;
	return p;
}

extern void *outer(int *ret_line);

NOINLINE void *outer(int *ret_line)
{
	void *p;

	*ret_line = __LINE__ + 1;
	p = middle();
	counter++;
	return p;
}

NOINLINE static int *remembered(void)
{
	static int hits;

	hits++;
	return &hits;
}

static void on_signal(int sig)
{
	char c;

	(void)sig;
	if (read(0, &c, 1) < 0)
		counter++;
}

/* A handler on top of calls: the stack goes through the kernel's frame. */
NOINLINE static void deepest(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	counter++;
}

NOINLINE static void deeper(int n)
{
	char room[64];

	memset(room, n, sizeof(room));
	if (n)
		deeper(n - 1);
	else
		deepest();
	counter += room[n];
}

int main(void)
{
	int line;
	void *p = outer(&line);

	say("inlined", p, line);
	say("main", (void *)main, 0);
	say("outer", (void *)outer, 0);
	say("say", (void *)say, 0);
	say("counter", &counter, 0);
	say("table", table, 0);
	say("table[3].id", &table[3].id, 0);
	say("table[4].in.text[2]", &table[4].in.text[2], 0);
	say("table[9].next", &table[9].next, 0);
	say("matrix[2][1][3]", &matrix[2][1][3], 0);
	say("label", &label, 0);
	say("hits", remembered(), 0);
	say("end", NULL, 0);
	fflush(stdout);
	deeper(3);
	return counter == 0;
}
