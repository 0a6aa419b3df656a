/* Only the top of the x87 stack tells one round from the next. */
#include "async.h"

int main(void)
{
	long double n = 0.0L;

	async_start();
	while (async_more())
		__asm__ volatile("fld1\n faddp\n" : "+t"(n));
	say("end %.20Lg\n", n);
	return 0;
}
