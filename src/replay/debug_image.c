/* What is mapped into the attached process: its executable and its libraries, by the names of files
 * that hold just these bytes today. */
#include "replay/debug.h"
#include "replay/replayer.h" /* before <elf.h>, which has an AT_ENTRY of its own */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "proc/maps.h"
#include "trace/files.h"

#define HEADERS_MAX   256
#define DYNAMIC_MAX   1024
#define LIBRARIES_MAX 4096

/* The original when it is unchanged, else the copy in the recording. */
static const char *shown_path(struct replay_file *f)
{
	char hash[DH_TRACE_HASH_LEN + 1];

	if (!f->shown) {
		DH_FD int fd = open(f->recorded, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		f->shown =
			fd >= 0 && dh_trace_files_hash(fd, hash) == 0 && strcmp(hash, f->hash) == 0
				? f->recorded
				: f->path;
	}
	return f->shown;
}

static struct replay_file *find_file(const struct dh_replay *r, const struct dh_vma *v)
{
	dh_map_foreach (slot, &r->files) {
		struct replay_file *f = (struct replay_file *)(uintptr_t)slot->value;
		struct stat st;

		if (stat(f->path, &st) == 0 && st.st_ino == v->inode)
			return f;
	}
	return NULL;
}

static int name_at(
	const struct dh_replay *r, struct dh_replay_task *t, uint64_t addr, struct dh_buf *out)
{
	struct dh_maps maps = DH_MAPS_INIT;
	const struct dh_vma *v;
	struct replay_file *f = NULL;
	int e = dh_maps_read(&maps, t->t.tid);

	v = e == 0 ? dh_maps_find(&maps, addr) : NULL;
	if (v && v->inode)
		f = find_file(r, v);
	if (f) {
		DH_FREE char *whole = realpath(shown_path(f), NULL);

		dh_buf_adds(out, whole ? whole : shown_path(f));
	}
	dh_maps_release(&maps);
	return f ? 0 : -ENOENT;
}

static uint64_t auxv_value(struct dh_replay_task *t, uint64_t type)
{
	DH_BUF struct dh_buf auxv = DH_BUF_INIT;
	uint64_t pair[2];

	if (debug_auxv(t, &auxv) < 0)
		return 0;
	for (size_t i = 0; i + sizeof(pair) <= auxv.len; i += sizeof(pair)) {
		memcpy(pair, auxv.data + i, sizeof(pair));
		if (pair[0] == type)
			return pair[1];
	}
	return 0;
}

int debug_executable(const struct dh_replay *r, struct dh_replay_task *t, struct dh_buf *out)
{
	return name_at(r, t, auxv_value(t, AT_ENTRY), out);
}

/* Where the dynamic section of the executable is, from its program headers in memory. */
static uint64_t find_dynamic(struct dh_replay_task *t)
{
	uint64_t at = auxv_value(t, AT_PHDR), n = auxv_value(t, AT_PHNUM), base = 0, dynamic = 0;
	Elf64_Phdr ph;

	for (uint64_t i = 0; at && i < n && i < HEADERS_MAX; i++) {
		if (dh_tracee_read(&t->t, at + i * sizeof(ph), &ph, sizeof(ph)) < 0)
			return 0;
		if (ph.p_type == PT_PHDR)
			base = at - ph.p_vaddr;
		else if (ph.p_type == PT_DYNAMIC)
			dynamic = ph.p_vaddr;
	}
	return dynamic ? base + dynamic : 0;
}

static uint64_t find_r_debug(struct dh_replay_task *t)
{
	uint64_t at = find_dynamic(t);
	Elf64_Dyn dyn;

	for (int i = 0; at && i < DYNAMIC_MAX; i++, at += sizeof(dyn)) {
		if (dh_tracee_read(&t->t, at, &dyn, sizeof(dyn)) < 0 || dyn.d_tag == DT_NULL)
			break;
		if (dyn.d_tag == DT_DEBUG)
			return dyn.d_un.d_ptr;
	}
	return 0;
}

int debug_first_library(struct dh_replay_task *t, struct debug_library *ret)
{
	uint64_t at = find_r_debug(t);
	struct r_debug debug;

	*ret = (struct debug_library){0};
	if (!at || dh_tracee_read(&t->t, at, &debug, sizeof(debug)) < 0)
		return -ENOENT;
	ret->main = ret->next = (uint64_t)(uintptr_t)debug.r_map;
	return 0;
}

int debug_next_library(const struct dh_replay *r, struct dh_replay_task *t,
	struct debug_library *lib, struct dh_buf *ret_name)
{
	struct link_map map;
	char name[4096];

	for (; lib->next && lib->n < LIBRARIES_MAX; lib->n++) {
		if (dh_tracee_read(&t->t, lib->next, &map, sizeof(map)) < 0)
			return 0;
		lib->at = lib->next;
		lib->base = (uint64_t)map.l_addr;
		lib->dynamic = (uint64_t)(uintptr_t)map.l_ld;
		lib->next = (uint64_t)(uintptr_t)map.l_next;
		if (lib->at == lib->main)
			continue; /* the executable itself */
		dh_buf_clear(ret_name);
		if (name_at(r, t, lib->dynamic, ret_name) < 0) {
			if (dh_tracee_read_string(
				    &t->t, (uint64_t)(uintptr_t)map.l_name, name, sizeof(name)) < 0)
				continue;
			dh_buf_adds(ret_name, name);
		}
		if (ret_name->len)
			return 1;
	}
	return 0;
}
