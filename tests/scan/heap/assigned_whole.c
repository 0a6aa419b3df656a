/* Structs of a library are assigned as a whole, and by their members: nothing but the type says
 * that it may be the same object. */
// norun
#include <pthread.h>

struct point {
	int x, y;
};

struct shape {
	int id;
	struct point at;
};

struct size {
	int w, h;
};

struct shape *library_shape(void);
struct size *library_size(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *arg)
{
	struct point origin = {0, 0};

	library_shape()->at = origin; // RACE
	pthread_mutex_lock(&lock);
	*library_size() = (struct size){1, 2}; // NORACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, move, NULL);
	library_shape()->at.y = 4; // RACE
	library_shape()->id = 5;   // NORACE
	pthread_mutex_lock(&lock);
	library_size()->h = 3; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
