/* libm in all rounding modes, on random arguments, to the last bit. */
#include "t.h"
#include <fenv.h>
#include <math.h>

int main(void)
{
	static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

	for (int i = 0; i < 4; i++) {
		uint64_t bits[8];
		double v[8], x = (double)(t_rand() % 1000000) / 1000.0;

		CHECK(fesetround(modes[i]) == 0);
		v[0] = sin(x);
		v[1] = exp(x / 200.0);
		v[2] = log(x + 1.0);
		v[3] = pow(x, 1.5);
		v[4] = atan2(x, 3.0);
		v[5] = x / 7.0;
		v[6] = sqrt(x);
		v[7] = fma(x, x, -x);
		memcpy(bits, v, sizeof(bits));
		say("mode %d x %.17g hash %016lx sum %.17g\n", i, x, t_hash(bits, sizeof(bits)),
			v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]);
	}
	return 0;
}
