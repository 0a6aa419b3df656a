/* A user's program that uses all of deadheat.h; compiled as C and as C++. */
#include <deadheat.h>

#include <stdio.h>

static int flag, counter;

int main(void)
{
	const char *runtime = DEADHEAT_RUNTIME();

	ANNOTATE_HAPPENS_BEFORE(&flag);
	ANNOTATE_HAPPENS_AFTER(&flag);
	ANNOTATE_BENIGN_RACE(&counter, "statistics");
	ANNOTATE_BENIGN_RACE_SIZED(&counter, 2, "half of it");
	DEADHEAT_IGNORE_BEGIN();
	counter++;
	DEADHEAT_IGNORE_END();
	if (counter)
		DEADHEAT_FAIL("counted");
	printf("runtime: %s\n", runtime ? runtime : "none");
	return 0;
}
