/* A findings store that is damaged in any way: listed, searched and merged, never a crash, and
 * a merge that fails leaves nothing behind. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "model/finding.h"
#include "store/store.h"

static char dir[] = "/tmp/dh-fuzz-XXXXXX";
static char *bad, *sum;

static void clean_up(void)
{
	dh_remove_tree(dir);
	free(bad);
	free(sum);
}

static void set_up(void)
{
	if (!mkdtemp(dir))
		abort();
	bad = dh_asprintf("%s/bad.db", dir);
	sum = dh_asprintf("%s/sum.db", dir);
	atexit(clean_up);
}

static void write_file(const uint8_t *data, size_t size)
{
	DH_FD int fd = open(bad, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || dh_write_full(fd, data, size) < 0)
		abort();
}

static void list(struct dh_store *s)
{
	struct dh_store_query q = {.file = "*.c", .origin = "fuzz", .kinds = 3, .levels = 0x55};
	struct dh_store_cursor *c;
	struct dh_finding *f;
	struct dh_error err = DH_ERROR_INIT;
	char fp[33];
	uint64_t n;

	(void)dh_store_count(s, &q, &n, &err);
	(void)dh_store_resolve(s, "abcd", fp, &err);
	if (dh_store_cursor_open(s, &(struct dh_store_query){.suppressed = true}, &c, &err) < 0)
		return;
	for (int i = 0; i < 100 && dh_store_cursor_next(c, &f, &err) > 0; i++) {
		(void)dh_store_rank(s, f->fingerprint, &n, &err);
		dh_finding_free(f);
	}
	dh_store_cursor_free(c);
}

static void merge(void)
{
	struct dh_store_query all = {.suppressed = true};
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store *s;
	uint64_t n = 0;

	unlink(sum);
	if (dh_store_open(sum, DH_STORE_CREATE, &s, &err) < 0)
		abort();
	if (dh_store_merge(s, bad, NULL, &err) < 0) {
		if (!err.text[0] || dh_store_count(s, &all, &n, &err) < 0 || n)
			abort();
	}
	dh_store_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store *s;

	if (!bad)
		set_up();
	write_file(data, size);
	if (dh_store_open(bad, DH_STORE_READ, &s, &err) < 0) {
		if (!err.text[0])
			abort();
		return 0;
	}
	list(s);
	dh_store_close(s);
	merge();
	return 0;
}
