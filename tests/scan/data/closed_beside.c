/* A descriptor is closed while another thread may use it: the number may be somebody else's then.
 */
#include <pthread.h>
#include <unistd.h>

static int ends[2], others[2];

static void *writes(void *arg)
{
	if (write(ends[1], "a", 1) != 1) // RACE
		return arg;
	if (write(others[1], "a", 1) != 1) // NORACE
		return arg;
	return NULL;
}

static void *closes(void *arg)
{
	close(ends[0]); // NORACE
	close(ends[1]); // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	if (pipe(ends) || pipe(others))
		return 1;
	pthread_create(&a, NULL, writes, NULL);
	pthread_create(&b, NULL, closes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	close(others[0]); // NORACE
	close(others[1]); // NORACE
	return 0;
}
