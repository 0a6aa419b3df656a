/* dlopen, dlsym, dlclose of libraries that are not linked. */
#include "t.h"
#include <dlfcn.h>

int main(void)
{
	double (*fn)(double);
	const char *(*ver)(void);
	void *m = dlopen("libm.so.6", RTLD_NOW), *z;
	Dl_info info;

	CHECK(m);
	*(void **)&fn = dlsym(m, "cos");
	CHECK(fn);
	say("cos(1) = %.17g\n", fn(1.0));
	CHECK(dladdr((void *)fn, &info) && info.dli_fname);
	say("in %s at %p\n", info.dli_fname, info.dli_fbase);
	z = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (z) {
		*(void **)&ver = dlsym(z, "zlibVersion");
		CHECK(ver);
		say("zlib %s\n", ver());
		CHECK(dlclose(z) == 0);
	}
	CHECK(!dlopen("libnone-such.so", RTLD_NOW));
	say("%s\n", dlerror());
	CHECK(dlclose(m) == 0);
	return 0;
}
