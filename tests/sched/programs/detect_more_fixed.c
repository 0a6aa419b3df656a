/* The same as detect_more.c, as it should be, and annotations that order: nothing is to be found.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

void AnnotateHappensBefore(const char *file, int line, const volatile void *at);
void AnnotateHappensAfter(const char *file, int line, const volatile void *at);
void AnnotateCondVarSignal(const char *file, int line, const volatile void *cv);
void AnnotateCondVarWait(
	const char *file, int line, const volatile void *cv, const volatile void *lock);
void AnnotateMutexIsUsedAsCondVar(const char *file, int line, const volatile void *lock);

static pthread_mutex_t m, both = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static char text[4];
static int by_annotation, by_queue, by_mutex, done, out;
static atomic_int ready, queued;

static void *first(void *arg)
{
	pthread_mutex_lock(&m);
	text[0] = 'a';
	pthread_mutex_unlock(&m);
	by_annotation = 1;
	AnnotateHappensBefore(__FILE__, __LINE__, &ready);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	by_queue = 1;
	AnnotateCondVarSignal(__FILE__, __LINE__, &queued);
	atomic_store_explicit(&queued, 1, memory_order_relaxed);
	by_mutex = 1;
	pthread_mutex_lock(&both);
	done = 1;
	pthread_mutex_unlock(&both);
	pthread_barrier_wait(&barrier);
	return arg;
}

static int look(void)
{
	int seen;

	pthread_mutex_lock(&both);
	seen = done;
	pthread_mutex_unlock(&both);
	return seen;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	while (write(out, text, 1) != 1)
		;
	pthread_mutex_unlock(&m);
	while (!atomic_load_explicit(&ready, memory_order_relaxed))
		;
	AnnotateHappensAfter(__FILE__, __LINE__, &ready);
	by_annotation++;
	while (!atomic_load_explicit(&queued, memory_order_relaxed))
		;
	AnnotateCondVarWait(__FILE__, __LINE__, &queued, &m);
	by_queue++;
	while (!look())
		usleep(10);
	by_mutex++;
	pthread_rwlock_rdlock(&rw);
	pthread_rwlock_unlock(&rw);
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	AnnotateMutexIsUsedAsCondVar(__FILE__, __LINE__, &both);
	out = open("/dev/null", O_WRONLY);
	pthread_mutex_init(&m, NULL);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_barrier_destroy(&barrier);
	pthread_mutex_destroy(&m);
	pthread_rwlock_destroy(&rw);
	close(out);
	return 0;
}
