/* Build databases and the command lines in them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/extract/command.h"
#include "scan/extract/flags.h"
#include "scan/extract/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dh_scan_commands c = {0};
	DH_FREE char *line = dh_strndup((const char *)data, size), *file = dh_strdup("a.c");
	DH_FREE char *dir = dh_strdup("/nowhere"), *name = dh_scan_short_name(line);
	DH_FREE char **argv = dh_scan_split(line);

	/* A short name is a part of the whole one. */
	if (strlen(name) > strlen(line))
		abort();
	if (argv && argv[0]) {
		struct dh_scan_command one = {.dir = dir, .file = file, .argv = argv};

		dh_scan_flags_free(dh_scan_flags(&one, 14, NULL));
	}
	dh_scan_commands_parse(&c, (const char *)data, size, "database", NULL);
	dh_scan_commands_sort(&c);
	dh_scan_commands_release(&c);
	return 0;
}
