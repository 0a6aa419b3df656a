/* Elements of a matrix: the row and the column say which one it is. */
#include <pthread.h>

static int fixed[4][8], rows[4][8], mixed[4][8];

static void *first(void *arg)
{
	int row = *(int *)arg; // NORACE

	for (int i = 0; i < 8; i++) {
		rows[row][i] = i;      // NORACE
		mixed[i % 4][row] = i; // RACE
	}
	return NULL;
}

static void *third(void *arg)
{
	fixed[1][2] = 1; // RACE
	fixed[2][1] = 1; // NORACE
	fixed[0][5] = 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	fixed[1][2] = 2; // RACE
	fixed[1][1] = 2; // NORACE
	fixed[3][0] = 2; // NORACE
	mixed[0][0] = 3; // RACE
	return NULL;
}

int main(void)
{
	int numbers[4] = {0, 1, 2, 3};
	pthread_t ids[4], other, another;

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, first, &numbers[i]);
	pthread_create(&other, NULL, second, NULL);
	pthread_create(&another, NULL, third, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
	pthread_join(other, NULL);
	pthread_join(another, NULL);
	return 0;
}
