/* Two members of a union are the same memory. */
#include <pthread.h>
#include <stdint.h>

static union {
	uint32_t word;
	uint8_t bytes[4];
} reg;

static void *by_word(void *arg)
{
	reg.word = 0x01020304; // RACE
	return NULL;
}

static void *by_byte(void *arg)
{
	reg.bytes[0] = 9; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, by_word, NULL);
	pthread_create(&b, NULL, by_byte, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return reg.word == 0; // NORACE
}
