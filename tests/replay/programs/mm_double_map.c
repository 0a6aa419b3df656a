/* Two views of one memory file: written through one, executed through the other. */
#include "t.h"

int main(void)
{
	int fd = TRY(memfd_create("code", 0));
	uint8_t *w, *x;

	TRY(ftruncate(fd, 4096));
	w = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	x = TRY(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0));
	for (int i = 0; i < 20; i++) {
		uint32_t k = (uint32_t)t_rand() | 1;

		w[0] = 0xb8;
		memcpy(w + 1, &k, 4);
		w[5] = 0xc3;
		CHECK(((uint32_t(*)(void))(void *)x)() == k);
		say("%08x ", k);
	}
	say("\n");
	return 0;
}
