/* Workers with ids and results in an array of structs; main reads before and after the join. */
#include <pthread.h>

struct worker {
	pthread_t id;
	int result;
	int progress;
};

static struct worker workers[3];

static void *work(void *arg)
{
	struct worker *w = arg;

	w->progress = 50; // RACE
	w->result = 3;    // NORACE
	return NULL;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		pthread_create(&workers[i].id, NULL, work, &workers[i]);
	sum += workers[1].progress; // RACE
	for (int i = 0; i < 3; i++)
		pthread_join(workers[i].id, NULL);
	for (int i = 0; i < 3; i++)
		sum += workers[i].result; // NORACE
	return sum == 1;
}
