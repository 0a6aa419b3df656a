/* A bytecode interpreter: a jump table, indirect branches, few registers. */
#include "async.h"

int main(void)
{
	static uint8_t code[4096];
	uint64_t acc = 1, steps = 0;
	unsigned pc = 0;

	t_fill_random(code, sizeof(code));
	async_counter = &steps;
	async_start();
	while (async_more()) {
		switch (code[pc] & 7) {
		case 0:
			acc += code[(pc + 1) & 4095];
			break;
		case 1:
			acc = (acc << 5) | (acc >> 59);
			break;
		case 2:
			acc ^= steps;
			break;
		case 3:
			pc += acc & 15;
			break;
		case 4:
			code[acc & 4095] ^= 8;
			break;
		case 5:
			acc *= 31;
			break;
		case 6:
			acc -= pc;
			break;
		default:
			acc = ~acc;
		}
		pc = (pc + 1) & 4095;
		steps++;
	}
	say("end %016lx pc %u\n", acc, pc);
	return 0;
}
