/* The struct is used here, and defined in another file: its members have one name in both. */
// with: data/extern_struct_other.c
#include <pthread.h>

extern struct settings {
	int first, second;
	pthread_mutex_t lock;
} settings;

void *other(void *arg);

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, other, NULL);
	settings.first++; // RACE
	pthread_mutex_lock(&settings.lock);
	settings.second++; // NORACE
	pthread_mutex_unlock(&settings.lock);
	pthread_join(id, NULL);
	return 0;
}
