/* Sorting with a helper that is handed halves.  Whether it is free is asked under its lock.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum state { IDLE, WORK, STOP };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Atomic enum state state;
static int *part, length;
static int numbers[2][8] = {{7, 3, 5, 1, 8, 2, 6, 4}, {4, 6, 2, 8, 1, 5, 3, 7}};

static void sort(int *a, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && a[k - 1] > a[k]; k--) {
			int t = a[k];

			a[k] = a[k - 1];
			a[k - 1] = t;
		}
}

static void *helper(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (state == IDLE)
			pthread_cond_wait(&changed, &lock);
		if (state == STOP)
			break;
		sort(part, length);
		state = IDLE;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static int hand_over(int *a, int n)
{
	int ok = 1;

	pthread_mutex_lock(&lock);
	ok = state == IDLE;
	if (ok) {
		part = a;
		length = n;
		state = WORK;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return ok;
}

static void *client(void *arg)
{
	int *a = arg;

	if (!hand_over(a, 8))
		sort(a, 8);
	return NULL;
}

int main(void)
{
	pthread_t h, clients[2];

	pthread_create(&h, NULL, helper, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&clients[i], NULL, client, numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(clients[i], NULL);
	pthread_mutex_lock(&lock);
	while (state != IDLE)
		pthread_cond_wait(&changed, &lock);
	state = STOP;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(h, NULL);
	for (int i = 0; i < 16; i++) {
		if (numbers[i / 8][i % 8] != i % 8 + 1) {
			printf("row %d is not sorted\n", i / 8);
			exit(1);
		}
	}
	return 0;
}
