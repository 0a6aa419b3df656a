/* A session that several threads share: references are counted without atomics. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int refs;
	char *name;
};

static struct session *get(struct session *s)
{
	s->refs++; // RACE
	return s;
}

static void put(struct session *s)
{
	if (--s->refs == 0) {  // RACE
		free(s->name); // MAYBE RACE
		free(s);       // MAYBE RACE
	}
}

static void *user(void *arg)
{
	struct session *s = get(arg);

	put(s);
	return NULL;
}

int main(void)
{
	struct session *s = calloc(1, sizeof(*s));
	pthread_t t[4];

	s->refs = 1; // NORACE
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, user, s);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	put(s);
	return 0;
}
