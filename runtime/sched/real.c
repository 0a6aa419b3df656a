#include "sched/real.h"

#include <dlfcn.h>

struct dh_real dh_real_table;

/* The present version of those of which glibc keeps an older one under the same name. */
static const struct {
	const char *name, *version;
} versioned[] = {
	{"pthread_cond_init", "GLIBC_2.3.2"},
	{"pthread_cond_destroy", "GLIBC_2.3.2"},
	{"pthread_cond_wait", "GLIBC_2.3.2"},
	{"pthread_cond_timedwait", "GLIBC_2.3.2"},
	{"pthread_cond_signal", "GLIBC_2.3.2"},
	{"pthread_cond_broadcast", "GLIBC_2.3.2"},
};

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

void *dh_real_symbol(const char *name)
{
	void *p = NULL;

	for (size_t i = 0; i < sizeof(versioned) / sizeof(versioned[0]); i++)
		if (same(versioned[i].name, name))
			p = dlvsym(RTLD_NEXT, name, versioned[i].version);
	return p ? p : dlsym(RTLD_NEXT, name);
}

#define FIND(name) dh_real_table.name = (__typeof__(&name))dh_real_symbol(#name);

void dh_real_init(void)
{
	DH_REAL_FUNCTIONS(FIND)
	__atomic_store_n(&dh_real_table.ready, true, __ATOMIC_RELEASE);
}
