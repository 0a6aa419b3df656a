/* deadheat cc, deadheat c++: compilers that build a program for deadheat fuzz. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/log.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "fuzz/ccargs.h"

struct language {
	const char *name;        /* of the command */
	const char *what;        /* "C" */
	const char *variable;    /* which compiler to use */
	const char *defaults[4]; /* the first that is installed */
};

static const struct language languages[] = {
	{"cc", "C", "DEADHEAT_CC", {"gcc", "clang", "cc"}},
	{"c++", "C++", "DEADHEAT_CXX", {"g++", "clang++", "c++"}},
};

static void print_help(const struct language *l)
{
	printf("Usage: deadheat %s [--compiler=COMMAND] [ARGUMENT]...\n\n"
	       "Compiles and links %s programs for 'deadheat fuzz': the arguments are those of "
	       "the\n"
	       "compiler.  Outside of deadheat fuzz the program runs as ever.\n\n"
	       "Options:\n"
	       "      --compiler=COMMAND  the compiler: gcc or clang, of any version (default:\n"
	       "                          $%s, or the first of %s, %s, %s);\n"
	       "                          only as the first argument\n"
	       "  -h, --help              show this; only as the first argument\n\n"
	       "Build systems take it as their compiler:\n"
	       "  CC=\"deadheat cc\" CXX=\"deadheat c++\" ./configure && make\n"
	       "  CC=\"deadheat cc\" CXX=\"deadheat c++\" cmake -B build\n"
	       "  CC=\"deadheat cc\" CXX=\"deadheat c++\" meson setup build\n",
		l->name, l->what, l->variable, l->defaults[0], l->defaults[1], l->defaults[2]);
}

/* Where the command is, as the shell would find it; false when it is not. */
static bool find_command(const char *name, char ret[PATH_MAX])
{
	const char *path = getenv("PATH");
	DH_FREE char *dirs = dh_strdup(path ? path : "/usr/bin:/bin");
	char *rest = dirs, *dir;

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 && snprintf(ret, PATH_MAX, "%s", name) < PATH_MAX;
	while ((dir = strsep(&rest, ":"))) {
		int n = snprintf(ret, PATH_MAX, "%s/%s", *dir ? dir : ".", name);

		if (n < PATH_MAX && access(ret, X_OK) == 0)
			return true;
	}
	return false;
}

/* The compiler and arguments of its own ("ccache gcc"), split at spaces. */
static int choose_compiler(const struct language *l, const char *asked, struct dh_cc_args *ret,
	char path[PATH_MAX], struct dh_error *err)
{
	const char *text = asked ? asked : getenv(l->variable);
	DH_FREE char *words = dh_strdup(text ? text : "");
	char *rest = words, *word;

	while ((word = strsep(&rest, " \t"))) {
		if (*word)
			dh_cc_args_add(ret, word);
	}
	for (size_t i = 0; !ret->n && l->defaults[i]; i++) {
		if (find_command(l->defaults[i], path))
			dh_cc_args_add(ret, l->defaults[i]);
	}
	if (!ret->n)
		return dh_error_set(err, ENOENT,
			"no compiler is installed (looked for %s, %s, %s); set %s", l->defaults[0],
			l->defaults[1], l->defaults[2], l->variable);
	if (!find_command(ret->words[0], path))
		return dh_error_set(err, ENOENT, "there is no compiler '%s'; set %s", ret->words[0],
			l->variable);
	return 0;
}

/* A launcher such as ccache says nothing about the family: the last word of the command does. */
static enum dh_cc_kind family(const struct dh_cc_args *compiler, const char *path)
{
	return dh_cc_kind_of(compiler->n > 1 ? compiler->words[compiler->n - 1] : path);
}

static int find_runtime(
	char library[PATH_MAX], char dir[PATH_MAX], char stand_in[PATH_MAX], struct dh_error *err)
{
	int r = dh_runtime_path("sched", library, PATH_MAX, err);
	char *slash;

	if (r < 0)
		return r;
	slash = strrchr(library, '/');
	snprintf(dir, PATH_MAX, "%.*s", (int)(slash - library), library);
	if (snprintf(stand_in, PATH_MAX, "%s/stand-in", dir) >= PATH_MAX)
		return dh_error_set(err, ENAMETOOLONG, "the runtime's path is too long");
	return 0;
}

static int run(
	const struct language *l, const char *asked, char **argv, size_t n, struct dh_error *err)
{
	char library[PATH_MAX], dir[PATH_MAX], stand_in[PATH_MAX], path[PATH_MAX];
	struct dh_cc_runtime rt = {library, dir, stand_in};
	struct dh_arena arena = DH_ARENA_INIT;
	struct dh_cc_args args = {0};
	struct dh_cc_request req;
	int r = choose_compiler(l, asked, &args, path, err);

	if (r == 0)
		r = find_runtime(library, dir, stand_in, err);
	if (r == 0) {
		dh_cc_read(argv, n, &arena, &req);
		r = dh_cc_build(family(&args, path), &req, &rt, argv, n, &args, err);
	}
	if (r == 0) {
		execv(path, args.words);
		r = dh_error_set(err, errno, "cannot run %s: %s", path, strerror(errno));
	}
	dh_cc_args_release(&args);
	dh_arena_release(&arena);
	return r;
}

static int compile(const struct language *l, int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	const char *asked = NULL;
	int r, skip = 1;

	if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_help(l);
		return DH_EXIT_OK;
	}
	if (argc > 1 && strncmp(argv[1], "--compiler=", 11) == 0) {
		asked = argv[1] + 11;
		skip++;
	}
	r = run(l, asked, argv + skip, (size_t)(argc - skip), &err);
	dh_log_error("%s", dh_error_text(&err, r));
	return r == -EINVAL ? DH_EXIT_USAGE : DH_EXIT_FAILED;
}

int dh_cmd_cc(int argc, char **argv)
{
	return compile(&languages[0], argc, argv);
}

int dh_cmd_cxx(int argc, char **argv)
{
	return compile(&languages[1], argc, argv);
}
