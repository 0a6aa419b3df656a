/* A callback is registered by main and called by the thread. */
#include <pthread.h>
#include <stddef.h>

typedef void (*listener)(int event);

static listener listeners[4];
static int listener_count;
static int events_seen;

static void on_event(int event)
{
	events_seen += event; // RACE
}

static void subscribe(listener f)
{
	listeners[listener_count++] = f; // NORACE
}

static void *pump(void *arg)
{
	for (int e = 1; e < 5; e++)
		for (int i = 0; i < listener_count; i++) // NORACE
			listeners[i](e);                 // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t;

	subscribe(on_event);
	pthread_create(&t, NULL, pump, NULL);
	on_event(100);
	pthread_join(t, NULL);
	return events_seen; // NORACE
}
