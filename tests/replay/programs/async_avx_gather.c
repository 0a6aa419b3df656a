/* AVX2 gathers and multiply-adds over a table. */
#include "async.h"
#include <immintrin.h>

static float table[4096];

static void __attribute__((target("avx2,fma"))) spin(void)
{
	__m256i idx = _mm256_setr_epi32(1, 5, 9, 14, 20, 27, 35, 44);
	__m256 acc = _mm256_set1_ps(0.5f);
	float out[8];

	async_start();
	while (async_more())
		for (int i = 0; i < 50; i++) {
			__m256 v = _mm256_i32gather_ps(table, idx, 4);

			acc = _mm256_fmadd_ps(acc, _mm256_set1_ps(0.999f), v);
			idx = _mm256_add_epi32(idx, _mm256_set1_epi32(17));
			idx = _mm256_and_si256(idx, _mm256_set1_epi32(4095));
		}
	_mm256_storeu_ps(out, acc);
	say("end %.9g %.9g\n", out[0], out[7]);
}

int main(void)
{
	for (int i = 0; i < 4096; i++)
		table[i] = (float)(t_rand() % 1000) / 100.0f;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		spin();
	else
		say("no AVX2 here, pid %d\n", getpid());
	return 0;
}
