/* Matrix products, vectorised by the compiler. */
#include "async.h"

static double a[48][48], b[48][48], c[48][48];

int main(void)
{
	uint64_t rounds = 0;

	for (int i = 0; i < 48; i++)
		for (int k = 0; k < 48; k++)
			a[i][k] = b[k][i] = (double)(t_rand() % 100) / 50.0;
	async_counter = &rounds;
	async_start();
	for (; async_more(); rounds++)
		for (int i = 0; i < 48; i++)
			for (int j = 0; j < 48; j++) {
				double s = 0;

				for (int k = 0; k < 48; k++)
					s += a[i][k] * b[k][j];
				c[i][j] = c[i][j] * 0.5 + s;
			}
	say("end %lu %016lx\n", rounds, t_hash(c, sizeof(c)));
	return 0;
}
