/* Parallel regions: all threads of the team execute them at once, and end before the next one. */
// cflags: -fopenmp
// norun
static int plain, locked, single, counted, late;
static int squares[100], sums[100], one[100];

static void loops(int n)
{
	int seen = 0, total = 0;

#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		squares[i] = i * i; // NORACE
		one[7] = i;         // RACE
		seen++;             // RACE
	}
#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < n; i++)
		sums[i] = squares[i] + 1; // NORACE
#pragma omp parallel for reduction(+ : total)
	for (int i = 0; i < n; i++)
		total += sums[i]; // NORACE
	late = total + seen;      // NORACE
}

static void regions(void)
{
#pragma omp parallel
	{
		plain++; // RACE
#pragma omp critical
		locked++; // NORACE
#pragma omp atomic
		counted++; // NORACE
#pragma omp single
		single++; // NORACE
	}
	single++; // NORACE
}

int main(void)
{
	late = 1; // NORACE
	loops(100);
	regions();
	return plain + locked + counted + late; // NORACE
}
