/* Memory protection keys, where the processor has them. */
#include "t.h"

int main(void)
{
	char *m = TRY(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	int key = pkey_alloc(0, 0);

	if (key < 0) {
		say("no keys: %d, pid %d\n", errno, getpid());
		CHECK(errno == ENOSPC || errno == ENOSYS || errno == EINVAL);
		CHECK(pkey_mprotect(m, 4096, PROT_READ, -1) == 0 || errno == ENOSYS);
		return 0;
	}
	TRY(pkey_mprotect(m, 4096, PROT_READ | PROT_WRITE, key));
	m[0] = 1;
	TRY(pkey_set(key, PKEY_DISABLE_WRITE));
	CHECK(pkey_get(key) == PKEY_DISABLE_WRITE && m[0] == 1);
	TRY(pkey_set(key, 0));
	TRY(pkey_free(key));
	say("key %d at %p\n", key, (void *)m);
	return 0;
}
