#include "report/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/map.h"
#include "model/finding.h"

#define MAX_FILE   (8u << 20)  /* the largest source file that is read */
#define MAX_CACHED (64u << 20) /* beyond it the cache starts anew */
#define MAX_LINE   2000        /* the rest of a longer line (minified, generated) is cut */

struct source_file {
	char why[96]; /* cannot be shown because; "" if it can */
	struct dh_buf text;
	uint32_t *lines; /* where each begins; one more for the end */
	uint32_t n_lines;
	int64_t changed;
};

struct dh_sources {
	const char *dir;
	struct dh_strset names; /* id -> files[id] */
	struct source_file *files;
	size_t n, cap, bytes;
};

struct dh_sources *dh_sources_new(const char *dir)
{
	struct dh_sources *s = dh_new(struct dh_sources);

	s->dir = dir;
	dh_strset_init(&s->names);
	return s;
}

static void forget_all(struct dh_sources *s)
{
	for (size_t i = 0; i < s->n; i++) {
		dh_buf_release(&s->files[i].text);
		free(s->files[i].lines);
	}
	s->n = s->bytes = 0;
	dh_strset_release(&s->names);
}

void dh_sources_free(struct dh_sources *s)
{
	if (!s)
		return;
	forget_all(s);
	free(s->files);
	free(s);
}

/* Relative and without "..": cannot leave the source directory by its name. */
static bool is_below(const char *name)
{
	if (name[0] == '/')
		return false;
	for (const char *p = name; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]))
			return false;
	}
	return true;
}

/* Elsewhere on the machine only what is called like source is read: a report is sent to other
 * people, and a finding that came from other people must not choose what is in it. */
static bool is_source_name(const char *name)
{
	static const char *const known[] = {"c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++",
		"h++", "inc", "inl", "ipp", "tcc", "s", "asm", "y", "l", "m", "mm", "rs", "go", "d",
		"f90", "zig", "def"};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < DH_ARRAY_SIZE(known); i++)
		if (strcasecmp(dot + 1, known[i]) == 0)
			return true;
	/* The C++ library's headers have no suffix. */
	return !dot && strstr(name, "/include/c++/");
}

static void index_lines(struct source_file *f)
{
	size_t cap = 0;

	for (size_t at = 0; at < f->text.len;) {
		const char *nl = memchr(f->text.data + at, '\n', f->text.len - at);

		if (f->n_lines + 2u > cap) {
			cap = cap ? cap * 2 : 256;
			f->lines = dh_reallocarray(f->lines, cap, sizeof(*f->lines));
		}
		f->lines[f->n_lines++] = (uint32_t)at;
		at = nl ? (size_t)(nl - f->text.data) + 1 : f->text.len;
		f->lines[f->n_lines] = (uint32_t)at;
	}
}

static int open_source(const char *dir, const char *name)
{
	DH_FD int at = AT_FDCWD;

	if (dir && name[0] != '/') {
		at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (at < 0)
			return -errno;
	}
	/* Not blocking: a name may be that of a FIFO. */
	int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

static void load(const char *dir, const char *name, struct source_file *f)
{
	struct stat st;
	int r;

	if (!is_below(name) && !is_source_name(name)) {
		snprintf(f->why, sizeof(f->why),
			"lies outside the source directory and is not named like source");
		return;
	}
	DH_FD int fd = open_source(dir, name);
	if (fd < 0) {
		snprintf(f->why, sizeof(f->why), "cannot be read: %s", strerror(-fd));
		return;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		snprintf(f->why, sizeof(f->why), "is not a regular file");
		return;
	}
	f->changed = st.st_mtime;
	r = dh_read_fd(fd, MAX_FILE, &f->text);
	if (r < 0)
		snprintf(f->why, sizeof(f->why), "cannot be read: %s", strerror(-r));
	else if (f->text.len && memchr(f->text.data, '\0', f->text.len))
		snprintf(f->why, sizeof(f->why), "is not text");
	if (f->why[0])
		dh_buf_release(&f->text);
	else
		index_lines(f);
}

static const struct source_file *get(struct dh_sources *s, const char *name)
{
	int64_t id = dh_strset_find(&s->names, name);

	if (id >= 0)
		return &s->files[id];
	if (s->bytes > MAX_CACHED) {
		forget_all(s);
		dh_strset_init(&s->names);
	}
	id = dh_strset_add(&s->names, name);
	DH_GROW(s->files, s->n, s->cap);
	s->files[s->n] = (struct source_file){0};
	load(s->dir, name, &s->files[s->n]);
	s->bytes += s->files[s->n].text.cap + s->files[s->n].n_lines * sizeof(uint32_t);
	return &s->files[s->n++];
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool find_word(const char *line, size_t len, const char *word, size_t n, size_t *ret)
{
	for (size_t i = 0; n && i + n <= len; i++) {
		if (memcmp(line + i, word, n) != 0)
			continue;
		if ((i && is_word(line[i - 1]) && is_word(word[0])) ||
			(i + n < len && is_word(line[i + n]) && is_word(word[n - 1])))
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* The variable as it is named ("q->head"), or its last part ("head"). */
static bool mark_variable(struct dh_excerpt *e, const char *line, size_t len, const char *variable)
{
	const char *end = variable + strlen(variable), *last = end;

	e->mark_bytes = (size_t)(end - variable);
	if (find_word(line, len, variable, e->mark_bytes, &e->mark))
		return true;
	while (last > variable && is_word(last[-1]))
		last--;
	e->mark_bytes = (size_t)(end - last);
	return find_word(line, len, last, e->mark_bytes, &e->mark);
}

static void set_mark(
	struct dh_excerpt *e, const char *line, size_t len, uint32_t column, const char *variable)
{
	size_t end = len;

	if (column && column <= len) {
		size_t n = variable ? strlen(variable) : 0;

		e->mark = column - 1;
		e->mark_bytes = 1;
		if (n && n <= len - e->mark && memcmp(line + e->mark, variable, n) == 0)
			e->mark_bytes = n;
		while (is_word(line[e->mark]) && e->mark + e->mark_bytes < len &&
			is_word(line[e->mark + e->mark_bytes]))
			e->mark_bytes++;
		return;
	}
	if (variable && mark_variable(e, line, len, variable))
		return;
	for (e->mark = 0; e->mark < len && isspace((unsigned char)line[e->mark]);)
		e->mark++;
	while (end > e->mark && isspace((unsigned char)line[end - 1]))
		end--;
	e->mark_bytes = DH_MAX(end - e->mark, (size_t)1);
}

static void fill(const struct source_file *f, uint32_t first, uint32_t last, struct dh_excerpt *e)
{
	e->first = first;
	for (uint32_t i = first; i <= last && e->n < DH_EXCERPT_MAX_LINES; i++, e->n++) {
		const char *text = f->text.data + f->lines[i - 1];
		size_t len = f->lines[i] - f->lines[i - 1];

		while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
			len--;
		e->lines[e->n].text = text;
		e->lines[e->n].len = DH_MIN(len, (size_t)MAX_LINE);
	}
}

/* Blanks at both ends do not count: an editor that re-indents has not changed the access. */
static void trim(const char **text, size_t *len)
{
	while (*len && isspace((unsigned char)(*text)[*len - 1]))
		(*len)--;
	for (; *len && isspace((unsigned char)**text); (*len)--)
		(*text)++;
}

static bool is_line(const struct source_file *f, uint32_t line, const char *want)
{
	const char *text = f->text.data + f->lines[line - 1];
	size_t len = f->lines[line] - f->lines[line - 1], n = strlen(want);

	trim(&text, &len);
	trim(&want, &n);
	return n && len == n && memcmp(text, want, n) == 0;
}

/* The line with this text that is nearest to where it was; 0: none. */
static uint32_t find_line(const struct source_file *f, uint32_t was, const char *text)
{
	for (uint64_t d = 0; d <= DH_MAX((uint64_t)was, f->n_lines); d++) {
		if (d < was && was - d <= f->n_lines && is_line(f, (uint32_t)(was - d), text))
			return (uint32_t)(was - d);
		if (was + d <= f->n_lines && is_line(f, (uint32_t)(was + d), text))
			return (uint32_t)(was + d);
	}
	return 0;
}

/* All that is left is the line that the finding carries. */
static void show_old(const struct dh_site *site, const char *variable, struct dh_excerpt *e)
{
	size_t len = DH_MIN(strlen(site->text), (size_t)MAX_LINE);

	e->first = e->line;
	e->n = 1;
	e->lines[0].text = site->text;
	e->lines[0].len = len;
	set_mark(e, site->text, len, site->at.column, variable);
}

/* Where the site's line is now; 0 when it is gone.  Says so in the note. */
static uint32_t locate(
	const struct source_file *f, const struct dh_site *site, int64_t seen, struct dh_excerpt *e)
{
	uint32_t was = site->at.line, is = was <= f->n_lines ? was : 0;

	if (site->text && site->text[0]) {
		is = find_line(f, was, site->text);
		if (is && is != was)
			snprintf(e->note, sizeof(e->note),
				"source has changed since: line %" PRIu32 " is now line %" PRIu32,
				was, is);
		else if (!is)
			snprintf(e->note, sizeof(e->note),
				"source has changed since: this line is not there any more");
	} else if (!is) {
		snprintf(e->note, sizeof(e->note),
			"source has changed since: it has %" PRIu32 " lines now", f->n_lines);
	} else if (seen && f->changed > seen) {
		snprintf(e->note, sizeof(e->note),
			"source has changed since this was found; lines may have moved");
	}
	return is;
}

void dh_sources_excerpt(struct dh_sources *s, const struct dh_site *site, const char *variable,
	uint32_t context, int64_t seen, struct dh_excerpt *ret)
{
	struct dh_excerpt e = {.line = site->at.line};
	const struct source_file *f;
	uint32_t line = 0;

	if (site->at.file && site->at.line) {
		f = get(s, site->at.file);
		if (f->why[0])
			snprintf(e.note, sizeof(e.note), "source %s", f->why);
		else
			line = locate(f, site, seen, &e);
	}
	if (line) {
		uint32_t column = site->at.column;

		context = DH_MIN(context, (DH_EXCERPT_MAX_LINES - 1) / 2u);
		e.line = line;
		fill(f, line > context ? line - context : 1,
			(uint32_t)DH_MIN((uint64_t)line + context, f->n_lines), &e);
		set_mark(&e, e.lines[line - e.first].text, e.lines[line - e.first].len, column,
			variable);
	} else if (site->text && site->text[0]) {
		show_old(site, variable, &e);
	}
	*ret = e;
}
