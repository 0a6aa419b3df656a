/* cpuid leaves, including the local APIC id, which depends on the CPU it runs on. */
#include "t.h"

int main(void)
{
	for (uint32_t leaf = 0; leaf < 0x10; leaf++) {
		uint32_t a = leaf, b, c = 0, d;

		__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
		say("%x: %08x %08x %08x %08x\n", leaf, a, b, c, d);
	}
	say("pid %d\n", getpid());
	return 0;
}
