/* A loop in code that the program wrote itself, and rewrites between rounds. */
#include "async.h"

int main(void)
{
	/* mov %rdi,%rax; mov $N,%ecx; 1: lea K(%rax),%rax; ror %rax; dec %ecx; jnz 1b; ret */
	static const uint8_t body[] = {0x48, 0x89, 0xf8, 0xb9, 0x20, 0x4e, 0, 0, 0x48, 0x8d, 0x40,
		0x01, 0x48, 0xd1, 0xc8, 0xff, 0xc9, 0x75, 0xf5, 0xc3};
	uint8_t *code = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	uint64_t x = t_rand();

	memcpy(code, body, sizeof(body));
	async_start();
	while (async_more()) {
		x = ((uint64_t(*)(uint64_t))(void *)code)(x);
		code[11] = (uint8_t)(x & 0x3f);
	}
	say("end %016lx\n", x);
	return 0;
}
