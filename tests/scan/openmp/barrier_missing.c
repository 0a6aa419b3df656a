/* Two phases of a region, with and without a barrier between them. */
// cflags: -fopenmp
// norun
static int given[8], taken[8], early[8], other[8];

static void phases(int n)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			given[i] = i; // NORACE
#pragma omp for
		for (int i = 0; i < n; i++)
			taken[i] = given[n - i - 1]; // NORACE
	}
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < n; i++)
			early[i] = i; // MISS RACE
#pragma omp for
		for (int i = 0; i < n; i++)
			other[i] = early[n - i - 1]; // MISS RACE
	}
}

int main(void)
{
	phases(8);
	return taken[1] + other[1]; // NORACE
}
