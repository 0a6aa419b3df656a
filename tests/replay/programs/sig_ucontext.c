/* getcontext, makecontext, swapcontext: three coroutines pass a random token. */
#include "t.h"

static ucontext_t main_ctx, ctx[3];
static char stacks[3][65536];
static uint64_t token;

static void body(int self)
{
	for (int i = 0; i < 10; i++) {
		token = token * 6364136223846793005u + t_rand() % 1000;
		say("%d.%d %016lx\n", self, i, token);
		TRY(swapcontext(&ctx[self], &ctx[(self + 1) % 3]));
	}
}

int main(void)
{
	for (volatile int i = 0; i < 3; i++) {
		TRY(getcontext(&ctx[i]));
		ctx[i].uc_stack.ss_sp = stacks[i];
		ctx[i].uc_stack.ss_size = sizeof(stacks[i]);
		ctx[i].uc_link = &main_ctx;
		makecontext(&ctx[i], (void (*)(void))body, 1, i);
	}
	TRY(swapcontext(&main_ctx, &ctx[0]));
	say("token %016lx\n", token);
	return 0;
}
