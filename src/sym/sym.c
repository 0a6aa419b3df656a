#include "sym/sym.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "sym/image.h"
#include "sym/space.h"
#include "sym/session.h"

#define MAX_NAME 4096u

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct dh_sym *dh_sym_new(void)
{
	struct dh_sym *s = dh_new(struct dh_sym);

	dh_strset_init(&s->names);
	return s;
}

static void drop_entries(struct dh_sym *s)
{
	for (size_t i = 0; i < s->n; i++) {
		dh_sym_units_free(s->entries[i].units);
		dh_sym_var_index_free(s->entries[i].vars);
	}
	free(s->entries);
	s->entries = NULL;
	s->n = 0;
}

void dh_sym_free(struct dh_sym *s)
{
	if (!s)
		return;
	drop_entries(s);
	dwfl_end(s->dwfl);
	dh_map_release(&s->frames);
	dh_strset_release(&s->names);
	dh_arena_release(&s->arena);
	free(s);
}

const char *dh_sym_text(struct dh_sym *s, const char *text)
{
	char clean[MAX_NAME];
	size_t n = 0;

	if (!text)
		return NULL;
	for (; text[n] && n + 1 < sizeof(clean); n++)
		clean[n] = (unsigned char)text[n] < ' ' || text[n] == 0x7f ? '?' : text[n];
	clean[n] = '\0';
	return dh_strset_get(&s->names, dh_strset_add(&s->names, clean));
}

struct dh_sym_entry *dh_sym_entry_at(const struct dh_sym *s, uint64_t addr)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (addr >= s->entries[mid].shown.end)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->n && addr >= s->entries[low].shown.start ? &s->entries[low] : NULL;
}

size_t dh_sym_n_modules(const struct dh_sym *s)
{
	return s->n;
}

const struct dh_sym_module *dh_sym_module(const struct dh_sym *s, size_t i)
{
	return i < s->n ? &s->entries[i].shown : NULL;
}

const struct dh_sym_module *dh_sym_module_at(const struct dh_sym *s, uint64_t addr)
{
	struct dh_sym_entry *e = dh_sym_entry_at(s, addr);

	return e ? &e->shown : NULL;
}

/* A module while the list of mappings is turned into modules. */
struct found {
	const struct dh_sym_mapping *first;
	uint64_t start, end, bias;
	struct dh_image image;
	int fd; /* -1: cannot be read */
};

struct found_list {
	struct found *all;
	size_t n, cap;
};

static void found_release(struct found_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		dh_closep(&l->all[i].fd);
	free(l->all);
}

/* Names of files; "[stack]" and anonymous memory have no symbols.  The kernel's own code page has
 * a name that helps. */
static bool is_module(const struct dh_sym_mapping *m)
{
	return m->start < m->end && m->path &&
	       (m->path[0] == '/' || m->file || strcmp(m->path, "[vdso]") == 0);
}

static bool continues(const struct found *f, const struct dh_sym_mapping *m)
{
	if (strcmp(f->first->path, m->path) != 0)
		return false;
	if (f->fd < 0) /* nothing is known but the order */
		return m->offset > f->first->offset;
	return dh_image_fits(&f->image, m->offset, m->start, f->bias);
}

static void start_module(struct found_list *l, const struct dh_sym_mapping *m)
{
	struct found f = {
		.first = m, .start = m->start, .end = m->end, .bias = m->start - m->offset};

	f.fd = open(m->file ? m->file : m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f.fd >= 0 && (dh_image_read(f.fd, &f.image) < 0 ||
				 dh_image_bias(&f.image, m->offset, m->start, &f.bias) < 0 ||
				 (f.image.fixed && f.bias)))
		dh_closep(&f.fd);
	if (f.fd >= 0) {
		/* To the end of its zeroed data, which no file is mapped at. */
		f.start = DH_MIN(f.start, f.bias + f.image.low);
		f.end = DH_MAX(f.end, f.bias + f.image.high);
	}
	DH_GROW(l->all, l->n, l->cap);
	l->all[l->n++] = f;
}

static void collect(struct found_list *l, const struct dh_sym_mapping *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_module(&m[i]))
			continue;
		if (l->n && continues(&l->all[l->n - 1], &m[i]))
			l->all[l->n - 1].end = DH_MAX(l->all[l->n - 1].end, m[i].end);
		else
			start_module(l, &m[i]);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* No two modules share an address, whatever the files said. */
static void separate(struct found_list *l)
{
	if (l->n)
		qsort(l->all, l->n, sizeof(*l->all), by_start);
	for (size_t i = 0; i + 1 < l->n; i++) {
		if (l->all[i].end > l->all[i + 1].start)
			l->all[i].end = l->all[i + 1].start;
	}
}

static const char *read_build_id(struct dh_sym *s, Dwfl_Module *m)
{
	const unsigned char *bits;
	char hex[2 * 64 + 1];
	GElf_Addr vaddr, bias;
	int n;

	dwfl_module_getelf(m, &bias);
	n = dwfl_module_build_id(m, &bits, &vaddr);
	if (n <= 0 || n > 64)
		return NULL;
	for (int i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", bits[i]);
	return dh_sym_text(s, hex);
}

static void report(struct dh_sym *s, struct found *f, struct dh_sym_entry *e)
{
	const char *file = f->first->file ? f->first->file : f->first->path;

	e->shown = (struct dh_sym_module){.path = dh_sym_text(s, f->first->path),
		.start = f->start,
		.end = f->end,
		.bias = f->bias};
	if (f->fd < 0)
		return;
	e->dwfl = dwfl_report_elf(
		s->dwfl, e->shown.path, file, f->fd, f->bias + f->image.first, false);
	if (e->dwfl)
		f->fd = -1; /* the library's now */
	e->shown.has_symbols = e->dwfl != NULL;
}

static bool is_same(struct dh_sym *s, const struct dh_sym_module *m, const struct found *f)
{
	/* Equal texts are one text in a session. */
	return m->start == f->start && m->end == f->end && m->bias == f->bias &&
	       m->path == dh_sym_text(s, f->first->path);
}

/* All modules of the session are still there. */
static bool only_adds(struct dh_sym *s, const struct found_list *l)
{
	size_t i = 0;

	for (size_t k = 0; i < s->n && k < l->n; k++)
		i += is_same(s, &s->entries[i].shown, &l->all[k]);
	return s->dwfl && i == s->n;
}

/* A module went away: everything is read anew. */
static int restart(struct dh_sym *s)
{
	drop_entries(s);
	dwfl_end(s->dwfl);
	s->attached = false;
	s->dwfl = dwfl_begin(&callbacks);
	return s->dwfl ? 0 : -ENOMEM;
}

static void merge(struct dh_sym *s, struct found_list *l)
{
	struct dh_sym_entry *merged = dh_zalloc(l->n * sizeof(*merged));
	size_t old = 0;

	dwfl_report_begin_add(s->dwfl);
	for (size_t i = 0; i < l->n; i++) {
		if (old < s->n && is_same(s, &s->entries[old].shown, &l->all[i]))
			merged[i] = s->entries[old++];
		else
			report(s, &l->all[i], &merged[i]);
	}
	dwfl_report_end(s->dwfl, NULL, NULL);
	free(s->entries);
	s->entries = merged;
	s->n = l->n;
	for (size_t i = 0; i < s->n; i++) {
		if (merged[i].dwfl && !merged[i].shown.build_id)
			merged[i].shown.build_id = read_build_id(s, merged[i].dwfl);
	}
}

int dh_sym_set_mappings(struct dh_sym *s, const struct dh_sym_mapping *m, size_t n)
{
	struct found_list l = {0};
	int r = 0;

	collect(&l, m, n);
	separate(&l);
	if (!only_adds(s, &l))
		r = restart(s);
	if (r == 0) {
		dh_map_clear(&s->frames);
		merge(s, &l);
	}
	found_release(&l);
	return r;
}

/* The process sees its files through a root or mounts of its own. */
static bool has_other_files(pid_t pid)
{
	static const char *const links[] = {"root", "ns/mnt"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(links); i++) {
		char path[64], mine[256] = "", theirs[256] = "";

		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, links[i]);
		if (readlink(path, theirs, sizeof(theirs) - 1) < 0)
			return false;
		snprintf(path, sizeof(path), "/proc/self/%s", links[i]);
		if (readlink(path, mine, sizeof(mine) - 1) < 0 || strcmp(mine, theirs) != 0)
			return true;
	}
	return false;
}

int dh_sym_set_process(struct dh_sym *s, pid_t pid, struct dh_error *err)
{
	DH_CLEANUP(dh_sym_space_release) struct dh_sym_space maps = DH_SYM_SPACE_INIT;
	DH_FREE struct dh_sym_mapping *m = NULL;
	struct dh_arena paths = DH_ARENA_INIT;
	bool other = has_other_files(pid);
	int r = dh_sym_space_read(&maps, pid, err);

	if (r < 0)
		return r;
	m = dh_zalloc(maps.n * sizeof(*m));
	for (size_t i = 0; i < maps.n; i++) {
		DH_FREE char *file = NULL;

		m[i] = (struct dh_sym_mapping){.start = maps.all[i].start,
			.end = maps.all[i].end,
			.offset = maps.all[i].offset,
			.path = maps.all[i].path};
		if (!other || m[i].path[0] != '/')
			continue;
		file = dh_asprintf("/proc/%d/root%s", (int)pid, m[i].path);
		m[i].file = dh_arena_strdup(&paths, file);
	}
	r = dh_sym_set_mappings(s, m, maps.n);
	dh_arena_release(&paths);
	return r;
}
