#include "model/names.h"

#include <string.h>

int dh_names_find(const char *const *names, const char *name)
{
	for (int i = 0; name && names[i]; i++) {
		if (strcmp(names[i], name) == 0)
			return i;
	}
	return -1;
}
