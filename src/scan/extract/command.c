#include "scan/extract/command.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/path.h"

#define MAX_DATABASE ((size_t)1 << 30)

static void release_one(struct dh_scan_command *c)
{
	free(c->dir);
	free(c->file);
	for (size_t i = 0; c->argv && c->argv[i]; i++)
		free(c->argv[i]);
	free(c->argv);
}

void dh_scan_commands_release(struct dh_scan_commands *c)
{
	for (size_t i = 0; i < c->n; i++)
		release_one(&c->items[i]);
	free(c->items);
	free(c->first_missing);
	*c = (struct dh_scan_commands){0};
}

bool dh_scan_is_source(const char *name)
{
	static const char *const endings[] = {
		".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP", ".i", ".ii"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < DH_ARRAY_SIZE(endings); i++) {
		if (strcmp(dot, endings[i]) == 0)
			return true;
	}
	return false;
}

static char **copy_argv(char *const *argv)
{
	size_t n = 0;
	char **copy;

	while (argv[n])
		n++;
	copy = dh_new_n(char *, n + 1);
	for (size_t i = 0; i <= n; i++)
		copy[i] = argv[i] ? dh_strdup(argv[i]) : NULL;
	return copy;
}

void dh_scan_commands_add(
	struct dh_scan_commands *c, const char *dir, const char *file, char *const *argv)
{
	DH_FREE char *path = dh_scan_path(dir, file, NULL);

	if (!dh_scan_is_source(file))
		return;
	if (access(path, R_OK) != 0) {
		c->missing++;
		if (!c->first_missing)
			c->first_missing = dh_strdup(path);
		return;
	}
	DH_GROW(c->items, c->n, c->cap);
	c->items[c->n] = (struct dh_scan_command){.dir = dh_strdup(dir),
		.file = dh_strdup(path),
		.argv = copy_argv(argv),
		.order = c->n};
	c->n++;
}

static int by_file(const void *a, const void *b)
{
	const struct dh_scan_command *x = a, *y = b;
	int r = x->stub != y->stub ? (int)y->stub - (int)x->stub : strcmp(x->file, y->file);

	return r ? r : (x->order > y->order) - (x->order < y->order);
}

void dh_scan_commands_sort(struct dh_scan_commands *c)
{
	size_t kept = 0;

	if (c->n)
		qsort(c->items, c->n, sizeof(*c->items), by_file);
	for (size_t i = 0; i < c->n; i++) {
		if (kept && strcmp(c->items[kept - 1].file, c->items[i].file) == 0) {
			release_one(&c->items[i]);
			c->repeated++;
		} else {
			c->items[kept++] = c->items[i];
		}
	}
	c->n = kept;
}

/* One character of the line, with what a backslash or quotes make of it.  quote is the open one. */
static const char *take(const char *s, char *quote, struct dh_buf *out)
{
	if (*s == '\\' && *quote != '\'' && s[1]) {
		if (*quote == '"' && !strchr("\\\"$`\n", s[1]))
			dh_buf_addc(out, '\\');
		if (s[1] != '\n')
			dh_buf_addc(out, s[1]);
		return s + 2;
	}
	if ((*s == '"' || *s == '\'') && (!*quote || *quote == *s)) {
		*quote = *quote ? 0 : *s;
		return s + 1;
	}
	dh_buf_addc(out, *s);
	return s + 1;
}

/* The words one after the other, each ended by a null byte; their number, or -1. */
static ssize_t split_words(const char *s, struct dh_buf *out)
{
	ssize_t n = 0;
	char quote = 0;

	for (;;) {
		s += strspn(s, " \t\r\n");
		if (!*s)
			return n;
		while (*s && (quote || !strchr(" \t\r\n", *s)))
			s = take(s, &quote, out);
		if (quote)
			return -1;
		dh_buf_addc(out, 0);
		n++;
	}
}

char **dh_scan_split(const char *line)
{
	DH_BUF struct dh_buf words = DH_BUF_INIT;
	ssize_t n = split_words(line, &words);
	char **argv, *at;

	if (n < 0)
		return NULL;
	argv = dh_alloc(((size_t)n + 1) * sizeof(char *) + words.len + 1);
	at = (char *)(argv + n + 1);
	memcpy(at, dh_buf_str(&words), words.len + 1);
	for (ssize_t i = 0; i < n; i++) {
		argv[i] = at;
		at += strlen(at) + 1;
	}
	argv[n] = NULL;
	return argv;
}

/* The array "arguments" as an argv that borrows its strings; NULL when it is not one. */
static char **arguments_of(const json_t *list)
{
	size_t n = json_array_size(list);
	char **argv = dh_new_n(char *, n + 1);

	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(list, i));

		if (!s) {
			free(argv);
			return NULL;
		}
		argv[i] = (char *)(uintptr_t)s;
	}
	argv[n] = NULL;
	return argv;
}

static int add_entry(struct dh_scan_commands *c, const json_t *entry, size_t number,
	const char *name, struct dh_error *err)
{
	const char *dir = json_string_value(json_object_get(entry, "directory"));
	const char *file = json_string_value(json_object_get(entry, "file"));
	const char *line = json_string_value(json_object_get(entry, "command"));
	const json_t *list = json_object_get(entry, "arguments");
	DH_FREE char **argv = NULL;

	if (!dir || !file || (!line && !json_is_array(list)))
		return dh_error_set(err, EBADMSG,
			"%s: entry %zu lacks 'directory', 'file', or 'command' and 'arguments'",
			name, number);
	argv = json_is_array(list) ? arguments_of(list) : dh_scan_split(line);
	if (!argv || !argv[0])
		return dh_error_set(err, EBADMSG,
			"%s: the command of entry %zu (%s) is empty or has an open quote", name,
			number, file);
	dh_scan_commands_add(c, dir, file, argv);
	return 0;
}

int dh_scan_commands_parse(struct dh_scan_commands *c, const char *text, size_t size,
	const char *name, struct dh_error *err)
{
	json_error_t where;
	json_t *all = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
	int r = 0;

	if (!all)
		return dh_error_set(err, EBADMSG, "%s:%d: not a build database: %s", name,
			where.line, where.text);
	if (!json_is_array(all))
		r = dh_error_set(err, EBADMSG, "%s: not a build database: no list", name);
	for (size_t i = 0; r == 0 && i < json_array_size(all); i++)
		r = add_entry(c, json_array_get(all, i), i + 1, name, err);
	json_decref(all);
	return r;
}

int dh_scan_commands_load(struct dh_scan_commands *c, const char *path, struct dh_error *err)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	DH_FREE char *inside = dh_asprintf("%s/compile_commands.json", path);
	struct stat st;
	int r;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		path = inside;
	r = dh_read_file(path, MAX_DATABASE, &text, err);
	return r < 0 ? r : dh_scan_commands_parse(c, dh_buf_str(&text), text.len, path, err);
}
