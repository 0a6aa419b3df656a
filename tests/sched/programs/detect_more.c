/* Accesses that the C library or the kernel makes for the program, objects that are used before
 * they are there, and locks that are misused.  Comments name what a prediction is to find. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);

static pthread_mutex_t late, held, nobodys, others = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t unseen = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t nobodys_too = PTHREAD_RWLOCK_INITIALIZER;
static char text[4];
static int counter, out;

static void *first(void *arg)
{
	text[0] = 'a';                   /* race A */
	pthread_mutex_init(&late, NULL); /* race B */
	pthread_mutex_lock(&unseen);
	counter++; /* race C */
	pthread_mutex_unlock(&unseen);
	return arg;
}

static void *second(void *arg)
{
	ssize_t n = write(out, text, 1); /* race A */

	pthread_mutex_trylock(&late); /* race B */
	AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
	pthread_mutex_lock(&unseen);
	counter++; /* race C */
	pthread_mutex_unlock(&unseen);
	AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
	pthread_mutex_unlock(&others); /* misuse D */
	return n == 1 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	out = open("/dev/null", O_WRONLY);
	pthread_mutex_lock(&others);
	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_mutex_init(&nobodys, NULL);
	pthread_mutex_unlock(&nobodys);      /* misuse E */
	pthread_rwlock_unlock(&nobodys_too); /* misuse F */
	pthread_mutex_init(&held, NULL);
	pthread_mutex_lock(&held);
	pthread_mutex_destroy(&held); /* misuse G */
	close(out);
	return 0;
}
