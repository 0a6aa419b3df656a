#include "fuzz/ccargs.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"

#define MAX_RESPONSE ((size_t)64 << 20)
#define MAX_NESTING  8

/* Options whose value is the next word; such a word is no input. */
static const char *const takes_value[] = {"-o", "-x", "-I", "-L", "-D", "-U", "-A", "-B", "-T",
	"-u", "-z", "-e", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix",
	"-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib", "-MF", "-MT", "-MQ",
	"-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm", "--param", "-aux-info",
	"-wrapper", "-arch", "-target", "-dumpbase", "-dumpbase-ext", "-dumpdir", "--sysroot", "-h",
	"-soname", "-rpath", "-framework", NULL};
static const char *const stops_before_link[] = {
	"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--precompile", NULL};
static const char *const source_suffixes[] = {
	".c", ".i", ".ii", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".m", ".mm", NULL};
/* Each of these owns the shadow of memory, and so does ours. */
static const char *const foreign[] = {"address", "memory", "leak", "hwaddress", "kernel-address",
	"kernel-hwaddress", "dataflow", "cfi", "safe-stack", NULL};

/* gcc writes these out as plain moves, of which its instrumentation knows nothing, and makes them
 * of loops: as calls, and as loops, they are seen. */
static const char *const as_calls[] = {"-fno-builtin-memcpy", "-fno-builtin-memmove",
	"-fno-builtin-memset", "-fno-tree-loop-distribute-patterns", NULL};

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++) {
		if (strcmp(word, *list) == 0)
			return true;
	}
	return false;
}

void dh_cc_args_release(struct dh_cc_args *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->words[i]);
	free(a->words);
	*a = (struct dh_cc_args){0};
}

void dh_cc_args_add(struct dh_cc_args *a, const char *word)
{
	if (a->n + 2 > a->cap) {
		a->cap = a->cap ? a->cap * 2 : 16;
		a->words = dh_reallocarray(a->words, a->cap, sizeof(*a->words));
	}
	a->words[a->n++] = dh_strdup(word);
	a->words[a->n] = NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

enum dh_cc_kind dh_cc_kind_of(const char *path)
{
	const char *name = base_name(path);
	char real[PATH_MAX];

	if (strstr(name, "clang"))
		return DH_CC_CLANG;
	if (strstr(name, "gcc") || strstr(name, "g++"))
		return DH_CC_GCC;
	if (realpath(path, real) && strstr(base_name(real), "clang"))
		return DH_CC_CLANG;
	return DH_CC_GCC;
}

/* The last -fsanitize= and -fno-sanitize= that speaks of a foreign one decides. */
static void read_sanitizers(
	const char *list, bool on, struct dh_arena *arena, struct dh_cc_request *req)
{
	while (*list) {
		size_t n = strcspn(list, ",");
		char *name = dh_arena_strndup(arena, list, n);

		if (is_one_of(name, foreign)) {
			if (on)
				req->foreign = name;
			else if (req->foreign && strcmp(req->foreign, name) == 0)
				req->foreign = NULL;
		} else if (!on && strcmp(name, "all") == 0) {
			req->foreign = NULL;
		}
		list += n + (list[n] == ',');
	}
}

static void read_option(const char *word, struct dh_arena *arena, struct dh_cc_request *req)
{
	if (is_one_of(word, stops_before_link))
		req->links = false;
	else if (strcmp(word, "-shared") == 0)
		req->shared = true;
	else if (strcmp(word, "-r") == 0)
		req->partial = true;
	else if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0 ||
		 strcmp(word, "--static") == 0)
		req->statically = true;
	else if (strcmp(word, "-nostdlib") == 0 || strcmp(word, "-nodefaultlibs") == 0)
		req->nolibs = true;
	else if (strncmp(word, "-fsanitize=", 11) == 0)
		read_sanitizers(word + 11, true, arena, req);
	else if (strncmp(word, "-fno-sanitize=", 14) == 0)
		read_sanitizers(word + 14, false, arena, req);
	else if (strncmp(word, "-g", 2) == 0)
		req->debug = true;
	else if (strncmp(word, "-l", 2) == 0)
		req->inputs = true;
}

/* "-" is source code on standard input. */
static bool is_source(const char *word)
{
	const char *dot = strrchr(base_name(word), '.');

	return strcmp(word, "-") == 0 || (dot && is_one_of(dot, source_suffixes));
}

/* One word of a response file, as gcc reads them; NULL at the end. */
static char *next_word(const char **text, struct dh_arena *arena)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	const char *s = *text;
	char quote = 0;

	while (isspace((unsigned char)*s))
		s++;
	if (!*s)
		return NULL;
	for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
		if (*s == '\\' && s[1])
			dh_buf_addc(&b, *++s);
		else if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else
			dh_buf_addc(&b, *s);
	}
	*text = s;
	return dh_arena_strdup(arena, dh_buf_str(&b));
}

struct reader {
	struct dh_arena *arena;
	struct dh_cc_request *req;
	bool skip; /* the next word is a value */
	int depth; /* of response files */
};

static void read_word(struct reader *r, const char *word);

/* False: it is a name like any other. */
static bool read_response(struct reader *r, const char *path)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	const char *at;
	char *word;

	if (r->depth == MAX_NESTING || dh_read_file(path, MAX_RESPONSE, &text, NULL) < 0)
		return false;
	at = dh_buf_str(&text);
	r->depth++;
	while ((word = next_word(&at, r->arena)))
		read_word(r, word);
	r->depth--;
	return true;
}

static void read_word(struct reader *r, const char *word)
{
	if (r->skip) {
		r->skip = false;
	} else if (word[0] == '@' && read_response(r, word + 1)) {
		return;
	} else if (word[0] == '-' && word[1]) {
		r->skip = is_one_of(word, takes_value);
		if (strcmp(word, "-l") == 0) {
			r->req->inputs = true;
			r->skip = true;
		} else if (!r->skip) {
			read_option(word, r->arena, r->req);
		}
	} else {
		r->req->inputs = true;
		r->req->compiles |= is_source(word);
	}
}

void dh_cc_read(char *const *argv, size_t n, struct dh_arena *arena, struct dh_cc_request *ret)
{
	struct reader r = {.arena = arena, .req = ret};

	*ret = (struct dh_cc_request){.links = true};
	for (size_t i = 0; i < n; i++)
		read_word(&r, argv[i]);
}

static void add_joined(struct dh_cc_args *a, const char *prefix, const char *word)
{
	DH_FREE char *s = dh_asprintf("%s%s", prefix, word);

	dh_cc_args_add(a, s);
}

/* gcc asks for -ltsan: it finds ours under that name, in front of its own.  clang brings its
 * runtime as an archive, unless told not to; ours is named in its place.  Either way it stands
 * before all other libraries, so that its names win over those of libc. */
static void add_link(enum dh_cc_kind kind, const struct dh_cc_request *req,
	const struct dh_cc_runtime *rt, struct dh_cc_args *a)
{
	if (kind == DH_CC_GCC && !req->nolibs) {
		add_joined(a, "-L", rt->stand_in);
	} else {
		if (kind == DH_CC_CLANG)
			dh_cc_args_add(a, "-fno-sanitize-link-runtime");
		dh_cc_args_add(a, "-Wl,--push-state,--no-as-needed");
		dh_cc_args_add(a, rt->library);
		dh_cc_args_add(a, "-Wl,--pop-state");
	}
	add_joined(a, "-Wl,-rpath,", rt->dir);
}

static int refuse(const struct dh_cc_request *req, struct dh_error *err)
{
	if (req->foreign)
		return dh_error_set(err, EINVAL,
			"-fsanitize=%s does not go together with deadheat's runtime; leave it out "
			"of this build",
			req->foreign);
	if (req->links && req->statically)
		return dh_error_set(err, EINVAL,
			"cannot link with -static: the scheduler is a shared library that stands "
			"before libc; leave -static out of this build");
	return 0;
}

int dh_cc_build(enum dh_cc_kind kind, const struct dh_cc_request *req,
	const struct dh_cc_runtime *rt, char *const *argv, size_t n, struct dh_cc_args *ret,
	struct dh_error *err)
{
	bool link = req->inputs && req->links && !req->partial;
	int r = req->inputs ? refuse(req, err) : 0;

	if (r < 0)
		return r;
	/* Questions such as --version and -print-search-dirs go through as they are. */
	if (req->inputs) {
		dh_cc_args_add(ret, "-fsanitize=thread");
		if (!req->debug)
			dh_cc_args_add(ret, "-g");
	}
	for (size_t i = 0; kind == DH_CC_GCC && req->compiles && as_calls[i]; i++)
		dh_cc_args_add(ret, as_calls[i]);
	/* clang leaves out the read of "x++", between which and the write others may come. */
	if (kind == DH_CC_CLANG && req->compiles) {
		dh_cc_args_add(ret, "-mllvm");
		dh_cc_args_add(ret, "-tsan-instrument-read-before-write=1");
	}
	if (link)
		add_link(kind, req, rt, ret);
	for (size_t i = 0; i < n; i++) {
		/* It would bring the compiler's own runtime, as an archive. */
		if (strcmp(argv[i], "-static-libtsan") != 0)
			dh_cc_args_add(ret, argv[i]);
	}
	return 0;
}
