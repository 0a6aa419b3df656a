/* The x87 stack: 80-bit sums and a transcendental. */
#include "async.h"
#include <math.h>

int main(void)
{
	long double x = 0.25L, sum = 0.0L;

	async_start();
	while (async_more())
		for (int i = 0; i < 50; i++) {
			x = x * 1.01L + 1e-9L;
			if (x > 3.0L)
				x -= 2.9L;
			sum += sinl(x);
		}
	say("end %.20Lg %.20Lg\n", x, sum);
	return 0;
}
