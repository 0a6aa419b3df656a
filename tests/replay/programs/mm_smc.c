/* Self-modifying code in a page that is writable and executable. */
#include "t.h"

int main(void)
{
	uint8_t *code = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	/* incb 7(%rip) patches the add below it ; mov %edi,%eax ; add $0,%eax ; ret */
	static const uint8_t body[] = {
		0xfe, 0x05, 0x04, 0, 0, 0, 0x89, 0xf8, 0x83, 0xc0, 0x00, 0xc3};
	int sum = 0, r;

	memcpy(code, body, sizeof(body));
	for (int i = 0; i < 100; i++) {
		r = ((int (*)(int))(void *)code)(1000);
		sum += r;
		CHECK(r == 1000 + (i + 1));
	}
	say("sum %d at %p\n", sum, (void *)code);
	return 0;
}
