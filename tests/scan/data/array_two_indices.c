/* Constant indices of one array, and of an array of structs. */
#include <pthread.h>

struct pt {
	int x, y;
} pts[3];
int nums[4];

void *t_fun(void *arg)
{
	nums[0] = 1;  // NORACE
	nums[1] = 1;  // RACE
	pts[0].x = 1; // NORACE
	pts[1].y = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct pt *p = &pts[1];

	pthread_create(&id, NULL, t_fun, NULL);
	nums[2] = 2;     // NORACE
	*(nums + 1) = 2; // RACE
	pts[0].y = 2;    // NORACE
	p->y = 2;        // RACE
	(p + 1)->x = 2;  // NORACE
	pthread_join(id, NULL);
	return 0;
}
