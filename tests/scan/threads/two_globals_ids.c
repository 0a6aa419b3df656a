/* Handles in globals, joined by another function than the one that created. */
#include <pthread.h>

static pthread_t reader, writer;
static int data, status;

static void *read_fun(void *arg)
{
	return (void *)(long)data; // RACE
}

static void *write_fun(void *arg)
{
	data = 1;   // RACE
	status = 1; // NORACE
	return NULL;
}

static void start_writer(void)
{
	pthread_create(&writer, NULL, write_fun, NULL);
}

static void wait_writer(void)
{
	pthread_join(writer, NULL);
}

int main(void)
{
	pthread_create(&reader, NULL, read_fun, NULL);
	start_writer();
	wait_writer();
	status = 2; // NORACE
	data = 2;   // RACE
	pthread_join(reader, NULL);
	data = 3; // NORACE
	return 0;
}
