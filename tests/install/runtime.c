/* Stands in for a runtime: says which of the functions of deadheat.h were called. */
#include <deadheat.h>

#include <stdio.h>

void AnnotateHappensBefore(const char *file, int line, const volatile void *addr)
{
	printf("before %d %d\n", line > 0, addr != NULL && file != NULL);
}

void AnnotateHappensAfter(const char *file, int line, const volatile void *addr)
{
	printf("after %d %d\n", line > 0, addr != NULL && file != NULL);
}

void AnnotateBenignRaceSized(
	const char *file, int line, const volatile void *addr, size_t size, const char *description)
{
	printf("benign %zu %s %d\n", size, description, line > 0 && addr != NULL && file != NULL);
}

const char *deadheat_runtime(void)
{
	return "test";
}

void deadheat_fail(const char *file, int line, const char *what)
{
	printf("fail %s %d\n", what, line > 0 && file != NULL);
}

void deadheat_ignore_begin(void)
{
	puts("ignore");
}

void deadheat_ignore_end(void)
{
	puts("look again");
}
