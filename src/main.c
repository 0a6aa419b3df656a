/* The command table, global options and nothing else. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/forward.h"
#include "base/log.h"
#include "base/opt.h"
#include "cmd/cmd.h"

static const struct command {
	const char *group; /* what a person wants to do; rows of one group stand together */
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
} commands[] = {
	{"Get started", "doctor", dh_cmd_doctor,
		"what this machine allows, and how to mend the rest"},
	{"Find and prove races", "scan", dh_cmd_scan,
		"find races and deadlocks in source code, ranked"},
	{"Find and prove races", "fuzz", dh_cmd_fuzz,
		"predict thread races from a run, then make each one happen"},
	{"Find and prove races", "cc", dh_cmd_cc, "compile C for fuzz"},
	{"Find and prove races", "c++", dh_cmd_cxx, "compile C++ for fuzz"},
	{"Find and prove races", "explore", dh_cmd_explore,
		"find races between processes, then turn each one around"},
	{"Make a failure repeatable", "record", dh_cmd_record,
		"record a program and all its processes"},
	{"Make a failure repeatable", "replay", dh_cmd_replay, "run a recording again, exactly"},
	{"See what was found", "report", dh_cmd_report,
		"list, show, filter, suppress, export and merge findings"},
	{0},
};

bool dh_command_exists(const char *name, size_t len)
{
	for (size_t i = 0; commands[i].name; i++) {
		if (strncmp(commands[i].name, name, len) == 0 && !commands[i].name[len])
			return true;
	}
	return false;
}

static void print_help(void)
{
	const char *last = NULL;

	puts("Usage: deadheat [-q|-v] COMMAND [options] [-- PROGRAM [ARG]...]\n\n"
	     "Finds, proves, replays and explains race conditions on Linux.");
	for (size_t i = 0; commands[i].name; i++) {
		const char *group = commands[i].group;

		if (!last || strcmp(group, last) != 0)
			printf("\n%s:\n", group);
		last = group;
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	}
	puts("\nOptions before the command:\n"
	     "  -q, --quiet    only errors on stderr\n"
	     "  -v, --verbose  more on stderr\n"
	     "      --version  the version\n"
	     "  -h, --help     show this\n"
	     "\n'deadheat COMMAND --help' tells more; so does man deadheat.\n"
	     "First time here?  Try 'deadheat doctor'.");
}

static int unknown_command(const char *name)
{
	const char *names[DH_ARRAY_SIZE(commands) + 1] = {0};
	const char *near;

	for (size_t i = 0; commands[i].name; i++)
		names[i] = commands[i].name;
	near = dh_opt_nearest(name, names);
	if (near)
		dh_log_error(
			"unknown command '%s'; did you mean '%s'? (deadheat --help)", name, near);
	else
		dh_log_error("unknown command '%s' (deadheat --help)", name);
	return DH_EXIT_USAGE;
}

static int unknown_option(const char *option)
{
	static const char *const names[] = {"--quiet", "--verbose", "--help", "--version", NULL};
	const char *near = dh_opt_nearest(option, names);

	if (near)
		dh_log_error(
			"unknown option '%s'; did you mean '%s'? (deadheat --help)", option, near);
	else
		dh_log_error("unknown option '%s' (deadheat --help)", option);
	return DH_EXIT_USAGE;
}

/* The options before the command: 0 to go on with it, 1 when all is done, -EINVAL. */
static int global_option(const char *a)
{
	if (strcmp(a, "-q") == 0 || strcmp(a, "--quiet") == 0) {
		dh_log_set_level(DH_LOG_ERROR);
	} else if (strcmp(a, "-v") == 0 || strcmp(a, "--verbose") == 0) {
		dh_log_set_level(DH_LOG_DEBUG);
	} else if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
		print_help();
		return 1;
	} else if (strcmp(a, "--version") == 0) {
		puts("deadheat " DH_VERSION);
		return 1;
	} else {
		return -EINVAL;
	}
	return 0;
}

/* Output that did not arrive (a full disk, a closed pipe) must not look like a success. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	dh_log_error("cannot write the output: %s", strerror(errno));
	return DH_EXIT_FAILED;
}

int main(int argc, char **argv)
{
	int i, r;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		r = global_option(argv[i]);
		if (r < 0)
			return unknown_option(argv[i]);
		if (r > 0)
			return finish(DH_EXIT_OK);
	}
	if (i == argc) {
		dh_log_error("which command? (deadheat --help)");
		return DH_EXIT_USAGE;
	}
	if (strcmp(argv[i], "help") == 0) {
		print_help();
		return finish(DH_EXIT_OK);
	}
	for (size_t c = 0; commands[c].name; c++) {
		if (strcmp(argv[i], commands[c].name) == 0)
			return finish(commands[c].run(argc - i, argv + i));
	}
	return unknown_command(argv[i]);
}
