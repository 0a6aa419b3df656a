/* Annotations for detectors say what a lock of one's own does, who comes behind whom, and what is
 * meant. */
// norun
#include <pthread.h>

void AnnotateRWLockCreate(const char *file, int line, void *lock);
void AnnotateRWLockAcquired(const char *file, int line, void *lock, long exclusive);
void AnnotateRWLockReleased(const char *file, int line, void *lock, long exclusive);
void AnnotateHappensBefore(const char *file, int line, void *what);
void AnnotateHappensAfter(const char *file, int line, void *what);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateBenignRaceSized(const char *file, int line, void *what, long size, const char *why);

struct own_lock {
	long word;
};

void own_lock_wait(struct own_lock *l);
void own_lock_free(struct own_lock *l);

static void lock(struct own_lock *l, int exclusive)
{
	own_lock_wait(l);
	AnnotateRWLockAcquired(__FILE__, __LINE__, l, exclusive);
}

static void unlock(struct own_lock *l, int exclusive)
{
	AnnotateRWLockReleased(__FILE__, __LINE__, l, exclusive);
	own_lock_free(l);
}

static struct own_lock l;
static int guarded, wrongly, handed, counter, looked;

static void *first(void *arg)
{
	lock(&l, 1);
	guarded++; // NORACE
	unlock(&l, 1);
	lock(&l, 0);
	wrongly++; // RACE
	unlock(&l, 0);
	counter++;  // NORACE
	handed = 1; // NORACE
	AnnotateHappensBefore(__FILE__, __LINE__, &handed);
	looked = 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	int n;

	lock(&l, 1);
	guarded++; // NORACE
	unlock(&l, 1);
	lock(&l, 0);
	n = wrongly; // RACE
	unlock(&l, 0);
	counter++; // NORACE
	AnnotateHappensAfter(__FILE__, __LINE__, &handed);
	handed = 2; // NORACE
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
	n += looked; // NORACE
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
	return (void *)(long)n;
}

int main(void)
{
	pthread_t a, b;

	AnnotateRWLockCreate(__FILE__, __LINE__, &l);
	AnnotateBenignRaceSized(__FILE__, __LINE__, &counter, sizeof(counter), "a guess");
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
