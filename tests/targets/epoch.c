/* Memory is freed when every reader has been seen in a later epoch.  A reader reads the epoch first
 * and announces it later: it may announce one that is long over.
 *
 * kind: atomicity-violation
 * harm: heap, crash */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define IDLE 0

static atomic_int epoch = 1, active = IDLE;
static _Atomic(int *) data;

static int enter(void)
{
	int e = atomic_load(&epoch);

	atomic_store(&active, e); /* BUG */
	return e;
}

static void *reader(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int *p;

		p = atomic_load(&data); /* BUG */
		enter();
		*(int *)arg += *p;
		atomic_store(&active, IDLE);
	}
	return NULL;
}

static void *writer(void *arg)
{
	int *old[8], made[8], n = 0;

	for (int i = 1; i <= 4; i++) {
		int *fresh = malloc(sizeof(*fresh)), seen;

		*fresh = i;
		old[n] = atomic_exchange(&data, fresh);
		made[n++] = atomic_fetch_add(&epoch, 1);
		seen = atomic_load(&active);
		for (int k = 0; k < n; k++) {
			if (seen == IDLE || seen > made[k]) {
				free(old[k]);
				old[k] = old[--n];
				made[k--] = made[n];
			}
		}
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;
	int sum = 0;

	atomic_store(&data, calloc(1, sizeof(int)));
	pthread_create(&a, NULL, reader, &sum);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
