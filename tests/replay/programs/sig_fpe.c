/* SIGFPE from an integer division and from an unmasked floating-point exception. */
#include "t.h"
#include <fenv.h>

static sigjmp_buf env;
static volatile int code;

static void on_fpe(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	code = si->si_code;
	siglongjmp(env, 1);
}

int main(void)
{
	volatile int zero = 0, seven = (int)t_rand_in(1, 100);
	volatile double dz = 0.0, d = (double)seven;

	t_on_info(SIGFPE, on_fpe, 0);
	for (int i = 0; i < 10; i++)
		if (!sigsetjmp(env, 1)) {
			seven = seven / zero;
			return 1;
		}
	say("integer: code %d\n", code);
	CHECK(code == FPE_INTDIV);
	if (!sigsetjmp(env, 1)) {
		feenableexcept(FE_DIVBYZERO);
		d = d / dz;
		return 1;
	}
	fedisableexcept(FE_ALL_EXCEPT);
	say("float: code %d, d %.17g\n", code, d);
	CHECK(code == FPE_FLTDIV);
	return 0;
}
