/* close_reuse.c, mended: writing and closing hold the lock, and the number is forgotten.
 *
 * kind: none */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd, data_fd;

static void *log_line(void *arg)
{
	int fd;

	pthread_mutex_lock(&lock);
	fd = log_fd;
	if (fd >= 0)
		assert(write(fd, "line\n", 5) == 5);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *rotate(void *arg)
{
	pthread_mutex_lock(&lock);
	close(log_fd);
	log_fd = -1;
	data_fd = memfd_create("data", 0);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;
	struct stat st;

	log_fd = memfd_create("log", 0);
	pthread_create(&one, NULL, log_line, NULL);
	pthread_create(&two, NULL, rotate, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	assert(fstat(data_fd, &st) == 0 && st.st_size == 0);
	return 0;
}
