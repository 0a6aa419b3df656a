/* Stored schedules: anything; what is accepted is the same when it is written and read again. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "fuzz/schedule.h"

static void write_and_read(const struct dh_fuzz_schedule *s)
{
	DH_FREE char *text = dh_fuzz_schedule_write(s), *again = NULL;
	struct dh_fuzz_schedule copy;

	if (dh_fuzz_schedule_read(text, &copy, NULL) < 0)
		abort();
	again = dh_fuzz_schedule_write(&copy);
	if (strcmp(text, again) != 0)
		abort();
	dh_fuzz_schedule_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	DH_FREE char *text = dh_strndup((const char *)data, size);
	struct dh_error err = DH_ERROR_INIT;
	struct dh_fuzz_schedule s;

	if (dh_fuzz_schedule_read(text, &s, &err) == 0)
		write_and_read(&s);
	else if (!err.text[0])
		abort();
	dh_fuzz_schedule_release(&s);
	return 0;
}
