/* mincore, mlock, munlock, mlockall: what is resident. */
#include "t.h"

int main(void)
{
	char *m = TRY(
		mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	unsigned char v[16];
	unsigned picked = 0, seen = 0;
	int r;

	for (int i = 0; i < 16; i++)
		if (t_rand() % 2) {
			m[i * 4096] = 1;
			picked |= 1u << i;
		}
	TRY(mincore(m, 16 * 4096, v));
	for (int i = 0; i < 16; i++)
		seen |= (unsigned)(v[i] & 1) << i;
	say("touched %04x resident %04x\n", picked, seen);
	CHECK((seen & picked) == picked);
	r = mlock(m, 4 * 4096);
	say("mlock %d\n", r < 0 ? errno : 0);
	if (r == 0) {
		TRY(mincore(m, 4 * 4096, v));
		CHECK(v[0] & v[1] & v[2] & v[3] & 1);
		TRY(munlock(m, 4 * 4096));
	}
	TRY(munlockall());
	CHECK(mincore(m + 1, 4096, v) == -1 && errno == EINVAL);
	return 0;
}
