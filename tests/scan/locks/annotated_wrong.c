/* The same annotations in the wrong places. */
// norun
#include <pthread.h>

void AnnotateRWLockAcquired(const char *file, int line, void *lock, long exclusive);
void AnnotateRWLockReleased(const char *file, int line, void *lock, long exclusive);
void AnnotateHappensBefore(const char *file, int line, void *what);
void AnnotateHappensAfter(const char *file, int line, void *what);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static long l, k;
static int twice, handed, looked;

static void *first(void *arg)
{
	AnnotateRWLockAcquired(__FILE__, __LINE__, &l, 1);
	twice++; // RACE
	AnnotateRWLockReleased(__FILE__, __LINE__, &l, 1);
	AnnotateHappensBefore(__FILE__, __LINE__, &handed);
	handed = 1; // RACE
	looked = 1; // RACE
	return NULL;
}

static void *second(void *arg)
{
	AnnotateRWLockAcquired(__FILE__, __LINE__, &k, 1);
	twice++; // RACE
	AnnotateRWLockReleased(__FILE__, __LINE__, &k, 1);
	AnnotateHappensAfter(__FILE__, __LINE__, &handed);
	handed = 2; // RACE
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	return (void *)(long)looked; // RACE
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
