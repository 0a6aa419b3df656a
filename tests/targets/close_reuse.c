/* One thread closes a descriptor by number while another is about to write to it; a third file is
 * opened and gets the number, and the text lands there.
 *
 * kind: order-violation
 * harm: assertion */
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
	pthread_mutex_unlock(&lock);
	if (fd >= 0)
		assert(write(fd, "line\n", 5) == 5); /* BUG */
	return arg;
}

static void *rotate(void *arg)
{
	pthread_mutex_lock(&lock);
	close(log_fd); /* BUG */
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
