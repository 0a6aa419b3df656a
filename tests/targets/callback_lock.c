/* Two objects tell each other of changes while they hold their own lock.
 *
 * kind: deadlock
 * harm: deadlock, hang */
#include <pthread.h>
#include <stdio.h>

struct object {
	pthread_mutex_t lock;
	int value, copy;
	void (*changed)(struct object *from, int value);
};

static void to_right(struct object *from, int value);
static void to_left(struct object *from, int value);

static struct object left = {PTHREAD_MUTEX_INITIALIZER, 0, 0, to_right};
static struct object right = {PTHREAD_MUTEX_INITIALIZER, 0, 0, to_left};

static void note(struct object *o, int value)
{
	pthread_mutex_lock(&o->lock);
	o->copy = value;
	pthread_mutex_unlock(&o->lock);
}

static void to_right(struct object *from, int value)
{
	(void)from;
	note(&right, value);
}

static void to_left(struct object *from, int value)
{
	(void)from;
	note(&left, value);
}

static void set(struct object *o, int value)
{
	pthread_mutex_lock(&o->lock);
	o->value = value;
	o->changed(o, value); /* BUG */
	pthread_mutex_unlock(&o->lock);
}

static void *user(void *arg)
{
	for (int i = 1; i <= 3; i++)
		set(arg, i);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, user, &left);
	pthread_create(&b, NULL, user, &right);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d %d\n", left.copy, right.copy);
	return 0;
}
