#include "scan/extract/flags.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fd.h"
#include "scan/extract/command.h"
#include "scan/extract/path.h"

/* Response files within response files, and how large one may be. */
#define MAX_NESTING  8
#define MAX_RESPONSE ((size_t)16 << 20)

struct list {
	char **items;
	size_t n, cap;
	char *lost; /* the first response file that cannot be read */
};

static void add(struct list *l, const char *s)
{
	DH_GROW(l->items, l->n, l->cap);
	l->items[l->n++] = dh_strdup(s);
}

/* Arguments that stay.  JOINED: the value may follow in the same word or in the next one. */
enum shape { EXACT, PREFIX, JOINED, NEXT };

static const struct {
	const char *name;
	enum shape shape;
} kept[] = {
	{"-D", JOINED},
	{"-U", JOINED},
	{"-I", JOINED},
	{"-F", JOINED},
	{"-x", JOINED},
	{"-include", NEXT},
	{"-imacros", NEXT},
	{"-isystem", JOINED},
	{"-iquote", JOINED},
	{"-idirafter", JOINED},
	{"-isysroot", JOINED},
	{"-iprefix", NEXT},
	{"-iwithprefix", NEXT},
	{"-iwithprefixbefore", NEXT},
	{"--sysroot=", PREFIX},
	{"--sysroot", NEXT},
	{"-target", NEXT},
	{"--target=", PREFIX},
	{"-stdlib=", PREFIX},
	{"-nostdinc", PREFIX},
	{"-nostdlibinc", EXACT},
	{"-ansi", EXACT},
	{"-pthread", EXACT},
	{"-trigraphs", EXACT},
	{"-ffreestanding", EXACT},
	{"-fhosted", EXACT},
	{"-fno-builtin", PREFIX},
	{"-fbuiltin", EXACT},
	{"-fshort-wchar", EXACT},
	{"-fshort-enums", EXACT},
	{"-funsigned-char", EXACT},
	{"-fsigned-char", EXACT},
	{"-fms-extensions", EXACT},
	{"-fgnu89-inline", EXACT},
	{"-fgnu-keywords", EXACT},
	{"-fno-gnu-keywords", EXACT},
	{"-fexceptions", EXACT},
	{"-fno-exceptions", EXACT},
	{"-frtti", EXACT},
	{"-fno-rtti", EXACT},
	{"-fopenmp", EXACT},
	{"-fcommon", EXACT},
	{"-fno-common", EXACT},
	{"-fpack-struct", PREFIX},
	{"-fPIC", EXACT},
	{"-fpic", EXACT},
	{"-fPIE", EXACT},
	{"-fpie", EXACT},
	{"-fchar8_t", EXACT},
	{"-fno-char8_t", EXACT},
	{"-fblocks", EXACT},
	{"-fno-access-control", EXACT},
	{"-fno-operator-names", EXACT},
	{"-fdeclspec", EXACT},
	{"-fno-threadsafe-statics", EXACT},
	{"-fno-asm", EXACT},
	{"-fno-sized-deallocation", EXACT},
	{"-fsized-deallocation", EXACT},
	{"-faligned-new", EXACT},
	{"-ftemplate-depth=", PREFIX},
	{"-fconstexpr-depth=", PREFIX},
	{"-m32", EXACT},
	{"-m64", EXACT},
	{"-mx32", EXACT},
	{"-m16", EXACT},
	{"-march=", PREFIX},
	{"-mabi=", PREFIX},
	{"-mcmodel=", PREFIX},
	{"-msse", PREFIX},
	{"-mavx", PREFIX},
	{"-mno-sse", PREFIX},
	{"-mno-avx", PREFIX},
	{"-mno-mmx", EXACT},
	{"-mno-80387", EXACT},
	{"-mno-3dnow", EXACT},
	{"-mssse3", EXACT},
	{"-mmmx", EXACT},
	{"-maes", EXACT},
	{"-mpclmul", EXACT},
	{"-mfma", EXACT},
	{"-mbmi", PREFIX},
	{"-mlzcnt", EXACT},
	{"-mpopcnt", EXACT},
	{"-mcx16", EXACT},
	{"-mrtm", EXACT},
	{"-mrdrnd", EXACT},
	{"-mrdseed", EXACT},
	{"-msha", EXACT},
	{"-mf16c", EXACT},
	{"-mcrc32", EXACT},
	{"-mxsave", PREFIX},
	{"-mmovbe", EXACT},
	{"-mwaitpkg", EXACT},
	{"-mgeneral-regs-only", EXACT},
	{"-msoft-float", EXACT},
};

/* Arguments that go, together with the word behind them. */
static const char *const dropped_pairs[] = {"-o", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler",
	"-Xpreprocessor", "-Xclang", "-mllvm", "-T", "-u", "-z", "-L", "-l", "-aux-info", "--param",
	"-dumpbase", "-dumpdir", "-G", "-arch", "-framework", "-e", "-main-file-name"};

/* Names of languages that this clang does not know yet. */
static const struct {
	const char *gcc, *clang;
	int since; /* from this version on clang knows gcc's name */
} standards[] = {
	{"c23", "c2x", 18},
	{"gnu23", "gnu2x", 18},
	{"c++23", "c++2b", 17},
	{"gnu++23", "gnu++2b", 17},
	{"c++26", "c++2b", 17},
	{"gnu++26", "gnu++2b", 17},
	{"c++2c", "c++2b", 17},
	{"c2y", "c2x", 19},
	{"gnu2y", "gnu2x", 19},
};

static void add_standard(struct list *out, const char *name, int version)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	for (size_t i = 0; i < DH_ARRAY_SIZE(standards); i++) {
		if (strcmp(name, standards[i].gcc) == 0 && version < standards[i].since)
			name = standards[i].clang;
	}
	dh_buf_addf(&b, "-std=%s", name);
	add(out, dh_buf_str(&b));
}

/* How many words of the argument stay: 0, 1, or 2 with its value. */
static unsigned keeps(const char *arg)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(kept); i++) {
		size_t n = strlen(kept[i].name);
		bool exact = strcmp(arg, kept[i].name) == 0;

		switch (kept[i].shape) {
		case EXACT:
			if (exact)
				return 1;
			break;
		case NEXT:
			if (exact)
				return 2;
			break;
		case PREFIX:
			if (strncmp(arg, kept[i].name, n) == 0)
				return 1;
			break;
		case JOINED:
			if (strncmp(arg, kept[i].name, n) == 0)
				return exact ? 2 : 1;
		}
	}
	return 0;
}

static bool drops_pair(const char *arg)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(dropped_pairs); i++) {
		if (strcmp(arg, dropped_pairs[i]) == 0)
			return true;
	}
	return false;
}

/* -Wp,-DX,-MD,file: what is for the preprocessor, of which macros and folders matter. */
static void add_preprocessor(struct list *out, const char *words)
{
	DH_FREE char *copy = dh_strdup(words);
	char *rest = copy, *word;

	while ((word = strsep(&rest, ","))) {
		if (strncmp(word, "-D", 2) == 0 || strncmp(word, "-U", 2) == 0 ||
			strncmp(word, "-I", 2) == 0)
			add(out, word);
	}
}

static void translate(
	struct list *out, const char *dir, char *const *argv, int version, unsigned depth);

static void add_response(
	struct list *out, const char *dir, const char *name, int version, unsigned depth)
{
	DH_FREE char *path = dh_scan_path(dir, name, NULL);
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	DH_FREE char **argv = NULL;

	if (depth < MAX_NESTING && dh_read_file(path, MAX_RESPONSE, &text, NULL) == 0)
		argv = dh_scan_split(dh_buf_str(&text));
	if (argv)
		translate(out, dir, argv, version, depth + 1);
	else if (!out->lost)
		out->lost = dh_strdup(path);
}

static void translate(
	struct list *out, const char *dir, char *const *argv, int version, unsigned depth)
{
	for (size_t i = 0; argv[i]; i++) {
		unsigned n = keeps(argv[i]);

		if (argv[i][0] == '@') {
			add_response(out, dir, argv[i] + 1, version, depth);
		} else if (strncmp(argv[i], "-std=", 5) == 0) {
			add_standard(out, argv[i] + 5, version);
		} else if (strncmp(argv[i], "-Wp,", 4) == 0) {
			add_preprocessor(out, argv[i] + 4);
		} else if (n == 1) {
			add(out, argv[i]);
		} else if (n == 2 && argv[i + 1]) {
			add(out, argv[i]);
			add(out, argv[++i]);
		} else if (drops_pair(argv[i]) && argv[i + 1]) {
			i++;
		}
	}
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* g++ takes .c for C++; clang must be told. */
static bool is_cxx_driver(const char *name)
{
	return strstr(name, "g++") || strstr(name, "c++") || strstr(name, "clang++");
}

static bool has_language(const struct list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (strncmp(l->items[i], "-x", 2) == 0)
			return true;
	}
	return false;
}

/* aarch64-linux-gnu-gcc compiles for another machine. */
static void add_target(struct list *out, const char *driver)
{
	static const char *const names[] = {"-gcc", "-g++", "-cc", "-c++"};
	const char *name = base_of(driver);
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		const char *at = strstr(name, names[i]);

		if (at && memchr(name, '-', (size_t)(at - name))) {
			dh_buf_addf(&b, "--target=%.*s", (int)(at - name), name);
			add(out, dh_buf_str(&b));
			return;
		}
	}
}

/* ccache gcc, distcc cc: the driver is the last word before the first option. */
static size_t driver_of(char *const *argv)
{
	size_t i = 0;

	while (argv[i + 1] && argv[i + 1][0] != '-' && argv[i + 1][0] != '@' &&
		!dh_scan_is_source(argv[i + 1]))
		i++;
	return i;
}

char **dh_scan_flags(const struct dh_scan_command *c, int version, char **ret_lost)
{
	struct list out = {0};
	size_t driver = driver_of(c->argv);
	const char *dot = strrchr(c->file, '.');

	add_target(&out, c->argv[driver]);
	translate(&out, c->dir, c->argv + driver + 1, version, 0);
	if (is_cxx_driver(base_of(c->argv[driver])) && dot && strcmp(dot, ".c") == 0 &&
		!has_language(&out)) {
		add(&out, "-x");
		add(&out, "c++");
	}
	if (out.lost && ret_lost)
		*ret_lost = out.lost;
	else
		free(out.lost);
	DH_GROW(out.items, out.n, out.cap);
	out.items[out.n] = NULL;
	return out.items;
}

void dh_scan_flags_free(char **flags)
{
	for (size_t i = 0; flags && flags[i]; i++)
		free(flags[i]);
	free(flags);
}
