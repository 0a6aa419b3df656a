/* What each thread of the team has for itself, and what is summed up or guarded. */
// cflags: -fopenmp
// norun
static int plain, squares[100];
static double table[10][100];

static int loops(int n)
{
	int seen = 0;

#pragma omp parallel for reduction(+ : seen)
	for (int i = 0; i < n; i++) {
		int own = i * i; // NORACE

		squares[i] = own; // NORACE
		seen++;           // NORACE
		for (int j = 0; j < 100; j++)
			table[i][j] = own; // NORACE
	}
	return seen;
}

static void regions(void)
{
	int steps = 0;

#pragma omp parallel
	{
#pragma omp critical(count)
		plain++; // NORACE
#pragma omp barrier
#pragma omp critical(steps)
		steps++; // NORACE
	}
	plain += steps; // NORACE
}

int main(void)
{
	regions();
	return loops(10) + plain + squares[3]; // NORACE
}
