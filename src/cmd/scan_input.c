/* What deadheat scan is to read: sources, a build database, or what a build compiles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "cmd/scan.h"
#include "scan/extract/capture.h"
#include "scan/extract/command.h"

static void add_sources(
	struct dh_scan_commands *c, const char *dir, char **files, size_t n, char **flags)
{
	size_t n_flags = 0;
	char **argv;

	while (flags && flags[n_flags])
		n_flags++;
	argv = dh_new_n(char *, n_flags + 2);
	argv[0] = (char *)(uintptr_t) "cc";
	for (size_t i = 0; i < n_flags; i++)
		argv[1 + i] = flags[i];
	argv[n_flags + 1] = NULL;
	for (size_t i = 0; i < n; i++)
		dh_scan_commands_add(c, dir, files[i], argv);
	free(argv);
}

static int watch_build(struct dh_scan_commands *c, char **argv, struct dh_error *err)
{
	int status = 0;
	int r = dh_scan_capture(c, argv, &status, err);

	if (r == 0 && status != 0)
		dh_log_warn("the build failed (%s %d); scanning what it compiled before",
			WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return r;
}

static const char *default_database(void)
{
	static const char *const places[] = {
		"compile_commands.json", "build/compile_commands.json"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(places); i++) {
		if (access(places[i], R_OK) == 0)
			return places[i];
	}
	return NULL;
}

const char *dh_scan_input_misuse(const struct dh_scan_input *in)
{
	for (size_t i = 0; i < in->n; i++) {
		if (!dh_scan_is_source(in->words[i]))
			return "operands are C or C++ sources; a build command stands behind '--'";
	}
	for (size_t i = 0; i < in->stubs.n; i++) {
		if (!dh_scan_is_source(in->stubs.items[i]))
			return "--stub is for C or C++ source";
	}
	if (in->build && (in->n || in->rest))
		return "either -p, or sources, or a build command";
	if (in->rest && !in->rest[0] && !in->n)
		return "'--' without a build command";
	if (!in->build && !in->n && !in->rest && !default_database())
		return "what is to be scanned? -p PATH, sources, or '-- make'";
	return NULL;
}

/* Functions that say, in C, what code does that is not part of the program. */
static int add_stubs(const struct dh_scan_input *in, const char *dir, struct dh_scan_commands *c,
	struct dh_error *err)
{
	for (size_t i = 0; i < in->stubs.n; i++) {
		char *file = (char *)(uintptr_t)in->stubs.items[i];
		size_t before = c->n;

		add_sources(c, dir, &file, 1, NULL);
		if (c->n == before)
			return dh_error_set(err, ENOENT, "--stub: %s is not there", file);
		c->items[before].stub = true;
	}
	dh_scan_commands_sort(c);
	return 0;
}

int dh_scan_input_collect(const struct dh_scan_input *in, const char *dir,
	struct dh_scan_commands *c, struct dh_error *err)
{
	int r = 0;

	if (in->n)
		add_sources(c, dir, in->words, in->n, in->rest);
	else if (in->rest)
		r = watch_build(c, in->rest, err);
	else
		r = dh_scan_commands_load(c, in->build ? in->build : default_database(), err);
	if (r < 0)
		return r;
	dh_scan_commands_sort(c);
	if (c->missing == 1)
		dh_log_warn("%s is not there", c->first_missing);
	else if (c->missing)
		dh_log_warn(
			"%zu sources are not there, %s among them", c->missing, c->first_missing);
	if (c->repeated)
		dh_log_debug("%zu sources are compiled several times; the first way counts",
			c->repeated);
	if (!c->n)
		return dh_error_set(err, ENOENT,
			in->rest && !in->n
				? "the build compiled nothing: is everything built already? "
				  "Try after 'make clean'"
				: "there is no source to scan");
	return add_stubs(in, dir, c, err);
}
