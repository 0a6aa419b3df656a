/* A global that is always 0 keeps the branch dead; another is set before the create. */
#include <pthread.h>

int enabled;   /* never anything but 0 */
int debug = 1; /* never anything but 1 */
int x, y, z;

void *t_fun(void *arg)
{
	if (enabled) // NORACE
		x++; // NORACE
	if (!debug)  // NORACE
		y++; // NORACE
	if (debug)   // NORACE
		z++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	enabled = 0;
	pthread_create(&id, NULL, t_fun, NULL);
	x++; // NORACE
	y++; // NORACE
	z++; // RACE
	pthread_join(id, NULL);
	return 0;
}
