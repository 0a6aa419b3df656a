/* An observer is called with the subject's lock held. */
#include <pthread.h>

static pthread_mutex_t subject = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t view = PTHREAD_MUTEX_INITIALIZER;
static int value, shown;
static void (*observer)(int);

static void set(int v)
{
	pthread_mutex_lock(&subject);
	value = v; // NORACE
	observer(v);
	pthread_mutex_unlock(&subject);
}

static int get(void)
{
	int v;

	pthread_mutex_lock(&subject); // DEADLOCK
	v = value;                    // NORACE
	pthread_mutex_unlock(&subject);
	return v;
}

static void show(int v)
{
	pthread_mutex_lock(&view); // DEADLOCK
	shown = v;                 // NORACE
	pthread_mutex_unlock(&view);
}

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&view);
	shown = get(); // NORACE
	pthread_mutex_unlock(&view);
	return NULL;
}

int main(void)
{
	pthread_t id;

	observer = show;
	pthread_create(&id, NULL, t_fun, NULL);
	set(3);
	pthread_join(id, NULL);
	return shown; // NORACE
}
