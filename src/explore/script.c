/* Which script a call comes from. */
#include "explore/script.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "explore/deeds.h"
#include "explore/history.h"
#include "explore/race.h"
#include "model/site.h"

#define SCRIPT_MAX (1u << 20)
#define LINE_SHOWN 100
#define UP_MAX     16 /* parents to look at */

enum language { NO_SCRIPT, SHELL, MAKE, OTHER };

const char *dh_script_program(const char *command, size_t *ret_n)
{
	const char *end = command + strcspn(command, " "), *base = command;

	for (const char *p = command; p < end; p++)
		if (*p == '/')
			base = p + 1;
	*ret_n = (size_t)(end - base);
	return base;
}

static enum language language_of(const char *command)
{
	static const struct {
		const char *name;
		enum language is;
	} list[] = {{"sh", SHELL}, {"dash", SHELL}, {"bash", SHELL}, {"ksh", SHELL}, {"zsh", SHELL},
		{"make", MAKE}, {"gmake", MAKE}, {"perl", OTHER}, {"python", OTHER},
		{"ruby", OTHER}};
	size_t n;
	const char *base = dh_script_program(command, &n);

	while (n && (base[n - 1] == '.' || (base[n - 1] >= '0' && base[n - 1] <= '9')))
		n--; /* python3.11 */
	for (size_t i = 0; i < DH_ARRAY_SIZE(list); i++)
		if (n == strlen(list[i].name) && strncmp(base, list[i].name, n) == 0)
			return list[i].is;
	return NO_SCRIPT;
}

/* Whether the command line names the file: as an argument, or by its end. */
static bool names(const char *command, const char *path)
{
	for (const char *p = command; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " "), m = strlen(path);
		size_t skip = n > 2 && p[0] == '.' && p[1] == '/' ? 2 : 0;

		if (p > command && *p != '-' && n > skip && n - skip <= m &&
			strncmp(path + m - (n - skip), p + skip, n - skip) == 0 &&
			(n - skip == m || path[m - (n - skip) - 1] == '/'))
			return true;
		p += n;
	}
	return false;
}

static bool is_makefile(const char *path)
{
	const char *base = dh_path_base(path);

	return strcmp(base, "Makefile") == 0 || strcmp(base, "makefile") == 0 ||
	       strcmp(base, "GNUmakefile") == 0;
}

/* The file that the process has opened as its script; NULL: none. */
static const struct dh_ev_ref *script_of(
	const struct dh_history *h, uint32_t process, const char *command, enum language language)
{
	for (uint32_t c = 0; c < h->n_calls; c++) {
		const struct dh_ev_ref *path = dh_ev_call_ref(h->calls[c].ev, DH_REF_PATH);

		if (dh_deed_process(h, c) == process && dh_deed_opens(h->calls[c].ev) && path &&
			h->calls[c].ev->result >= 0 && S_ISREG(path->mode) &&
			(names(command, path->path) ||
				(language == MAKE && is_makefile(path->path))))
			return path;
	}
	return NULL;
}

struct script {
	enum language language;
	const struct dh_ev_ref *file;
	uint32_t process;
};

/* The nearest process above that runs a script, or this one itself; the image counts that a process
 * had when the call was made. */
static bool find_script(const struct dh_history *h, uint32_t call, struct script *ret)
{
	uint32_t process = dh_deed_process(h, call);

	for (int up = 0; up < UP_MAX && process != DH_NO_TASK;
		up++, process = h->processes[process].parent) {
		const struct dh_hist_process *p = &h->processes[process];

		for (uint32_t i = p->n_images; i-- > 0;) {
			const char *command = p->images[i].command;

			if (p->images[i].from > call)
				continue;
			ret->language = language_of(command);
			ret->process = process;
			if (ret->language != NO_SCRIPT)
				ret->file = script_of(h, process, command, ret->language);
			if (ret->language != NO_SCRIPT && ret->file)
				return true;
			break;
		}
	}
	return false;
}

static int read_script(const struct dh_ev_ref *file, struct dh_buf *ret)
{
	DH_FD int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
		(uint64_t)st.st_size != file->size)
		return -1;
	r = dh_read_fd(fd, SCRIPT_MAX, ret);
	return r < 0 || memchr(dh_buf_str(ret), '\0', ret->len) ? -1 : 0;
}

static const char *line_at(const char *text, uint32_t line)
{
	while (--line)
		text += strcspn(text, "\n") + 1;
	return text;
}

/* The target above a line of a recipe. */
static void add_target(const char *text, uint32_t line, struct dh_buf *out)
{
	while (line-- > 1) {
		const char *at = line_at(text, line);
		size_t n = strcspn(at, "\n"), name = strcspn(at, ":");

		if (*at == '\t' || *at == '#' || !n)
			continue;
		if (name < n)
			dh_buf_addf(
				out, " (target %.*s)", (int)DH_MIN(name, (size_t)LINE_SHOWN), at);
		return;
	}
}

static void add_place(const struct script *s, const char *text, const struct dh_script_lines *found,
	struct dh_buf *out)
{
	const char *first = line_at(text, found->line[0]);

	dh_buf_addf(out, "%s%s ", found->exact ? "" : "probably ", found->n > 1 ? "lines" : "line");
	for (uint32_t i = 0; i < found->n; i++)
		dh_buf_addf(out, "%s%u", i ? " or " : "", found->line[i]);
	dh_buf_addf(out, " of %s", dh_path_base(s->file->path));
	if (s->language == MAKE && found->n == 1)
		add_target(text, found->line[0], out);
	if (found->n == 1) {
		first += strspn(first, " \t");
		dh_buf_addf(out, ": %.*s", (int)DH_MIN(strcspn(first, "\n"), (size_t)LINE_SHOWN),
			first);
	}
}

static void find_lines(const struct dh_history *h, const struct dh_race *r, uint32_t call,
	const struct script *s, const char *text, struct dh_script_lines *ret)
{
	const char *command = dh_history_command(h, call);
	bool itself = language_of(command) == s->language && s->language != MAKE;

	if (itself && r->object != UINT32_MAX)
		dh_script_find_name(text, dh_path_base(h->objects[r->object].name),
			s->language == SHELL && dh_deed_stores(h, r, call), ret);
	else if (!itself && s->language != OTHER)
		dh_script_find_command(text, command, ret);
}

bool dh_script_place(
	const struct dh_history *h, const struct dh_race *r, uint32_t call, struct dh_buf *out)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	struct dh_script_lines found = {0};
	struct script s = {0};

	if (!find_script(h, call, &s) || read_script(s.file, &text) < 0)
		return false;
	find_lines(h, r, call, &s, dh_buf_str(&text), &found);
	if (!found.n || found.n > DH_SCRIPT_LINES)
		return false;
	add_place(&s, dh_buf_str(&text), &found, out);
	return true;
}
