/* Runs a fuzzer's entry point over every file of the corpus: known inputs stay harmless. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

static int run_file(const char *path)
{
	DH_BUF struct dh_buf input = DH_BUF_INIT;
	struct dh_error err = DH_ERROR_INIT;
	uint8_t *exact;

	if (dh_read_file(path, 16u << 20, &input, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	/* A copy without room behind, so that reading too far is noticed. */
	exact = dh_memdup(dh_buf_str(&input), input.len);
	LLVMFuzzerTestOneInput(exact, input.len);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = 0, n = 0;

	for (int i = 1; i < argc; i++) {
		DIR *d = opendir(argv[i]);
		struct dirent *e;

		while (d && (e = readdir(d))) {
			DH_FREE char *path = dh_asprintf("%s/%s", argv[i], e->d_name);

			if (e->d_name[0] == '.')
				continue;
			failed |= run_file(path);
			n++;
		}
		if (d)
			closedir(d);
	}
	printf("%d inputs\n", n);
	/* An empty corpus proves nothing. */
	return failed || n == 0;
}
