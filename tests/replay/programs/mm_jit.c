/* Code made at run time: written, made executable, called, changed, called again. */
#include "t.h"

int main(void)
{
	/* mov $imm32,%eax ; add %edi,%eax ; ret */
	uint8_t body[] = {0xb8, 0, 0, 0, 0, 0x01, 0xf8, 0xc3};
	uint8_t *code =
		TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	for (int i = 0; i < 50; i++) {
		uint32_t k = (uint32_t)t_rand();
		int got;

		memcpy(body + 1, &k, 4);
		TRY(mprotect(code, 4096, PROT_READ | PROT_WRITE));
		memcpy(code + i * 16, body, sizeof(body));
		TRY(mprotect(code, 4096, PROT_READ | PROT_EXEC));
		got = ((int (*)(int))(void *)(code + i * 16))(i);
		CHECK((uint32_t)got == k + (uint32_t)i);
		if (i % 10 == 0)
			say("%d: %08x\n", i, got);
	}
	return 0;
}
