/* ++, +=, |= and a conditional assignment read and write. */
#include <pthread.h>

int a, b, c, d, reads;
const int constant = 4;
int table[] = {1, 2, 3};

void *t_fun(void *arg)
{
	a++;                           // RACE
	b += constant;                 // RACE
	c |= 4;                        // RACE
	d = d > 3 ? 0 : d;             // RACE
	return (void *)(long)table[1]; // NORACE
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	if (a == 3)      // RACE
		reads++; // NORACE
	while (b > 100)  // RACE
		b--;     // RACE
	c = c ^ 1;       // RACE
	d = table[2];    // RACE
	pthread_join(id, NULL);
	return a + b + c + d; // NORACE
}
