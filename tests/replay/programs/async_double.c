/* Floating point sums whose last bits depend on each step. */
#include "async.h"
#include <math.h>

int main(void)
{
	double x = 1.0, sum = 0.0;

	async_start();
	while (async_more())
		for (int i = 0; i < 200; i++) {
			x = sqrt(x * 1.0000001 + 0.3);
			sum += 1.0 / x;
		}
	say("end %.17g %.17g\n", x, sum);
	return 0;
}
