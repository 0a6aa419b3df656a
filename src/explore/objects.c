/* Identities: which inode, which name, which process; and accesses to them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "explore/builder.h"
#include "sysmodel/effects.h"

#define TTY_MAJOR      4
#define TTYAUX_MAJOR   5
#define PTY_FIRST      136
#define PTY_LAST       143
#define MEMORY_DEVICES 1 /* null, zero, urandom: nothing in them that an order could change */

uint64_t dh_hash_text(const char *s)
{
	return XXH3_64bits(s, strlen(s));
}

uint32_t dh_object_new(
	struct builder *b, enum dh_race_what what, const char *name, const char *aspect)
{
	struct dh_history *h = b->h;

	DH_GROW(h->objects, h->n_objects, b->cap_objects);
	h->objects[h->n_objects] = (struct dh_hist_object){
		.what = what, .name = name, .aspect = aspect, .commutes = what == DH_RACE_LIST};
	return h->n_objects++;
}

void dh_access_range(struct builder *b, uint32_t object, enum dh_hist_op op, uint64_t from,
	uint64_t to, bool sync)
{
	struct dh_history *h = b->h;

	if (object == NONE)
		return;
	DH_GROW(h->accesses, h->n_accesses, b->cap_accesses);
	h->accesses[h->n_accesses++] = (struct dh_hist_access){.object = object,
		.call = b->now,
		.op = (uint8_t)op,
		.sync = sync,
		.from = from,
		.to = to};
}

void dh_access(struct builder *b, uint32_t object, enum dh_hist_op op)
{
	dh_access_range(b, object, op, 0, UINT64_MAX, false);
}

static uint32_t inode_new(struct builder *b, const struct dh_ev_ref *ref)
{
	struct inode *i;

	DH_GROW(b->inodes, b->n_inodes, b->cap_inodes);
	i = &b->inodes[b->n_inodes];
	*i = (struct inode){.mode = ref->mode,
		.rdev = ref->rdev,
		.path = ref->path[0] ? dh_arena_strdup(&b->h->arena, ref->path) : ""};
	for (int p = 0; p < INODE_PARTS; p++)
		i->parts[p] = NONE;
	return (uint32_t)b->n_inodes++;
}

/* Those of eventfd, epoll and the like share one inode: each open file is an object of its own. */
uint32_t dh_inode_anonymous(struct builder *b, const struct dh_ev_ref *ref)
{
	return inode_new(b, ref);
}

uint32_t dh_inode_of(struct builder *b, const struct dh_ev_ref *ref)
{
	uint64_t id[] = {ref->dev, ref->ino, ref->birth_ns}, key, found;
	uint32_t i;

	if (!ref->mode)
		return NONE;
	key = XXH3_64bits(id, sizeof(id));
	if (dh_map_get(&b->by_identity, key, &found))
		return (uint32_t)found;
	i = inode_new(b, ref);
	dh_map_set(&b->by_identity, key, i);
	return i;
}

static enum dh_race_what kind_of_data(const struct inode *i)
{
	unsigned m = major(i->rdev);

	if (!S_ISCHR(i->mode))
		return DH_RACE_DATA;
	return m == TTY_MAJOR || m == TTYAUX_MAJOR || (m >= PTY_FIRST && m <= PTY_LAST)
		       ? DH_RACE_TTY
		       : DH_RACE_DATA;
}

static const char *name_of(const struct inode *i)
{
	if (i->path[0])
		return i->path;
	return S_ISFIFO(i->mode)   ? "a pipe"
	       : S_ISSOCK(i->mode) ? (i->address ? i->address : "a socket")
				   : "a file";
}

uint32_t dh_inode_object(struct builder *b, uint32_t inode, enum inode_part part)
{
	static const struct {
		enum dh_race_what what;
		const char *aspect;
	} parts[INODE_PARTS] = {
		[INODE_DATA] = {DH_RACE_DATA, "contents"},
		[INODE_MODE] = {DH_RACE_META, "permissions"},
		[INODE_OWNER] = {DH_RACE_META, "owner"},
		[INODE_TIMES] = {DH_RACE_META, "times"},
		[INODE_SIZE] = {DH_RACE_META, "size"},
		[INODE_XATTR] = {DH_RACE_META, "attributes"},
		[INODE_HEAD] = {DH_RACE_STREAM, "next bytes"},
		[INODE_TAIL] = {DH_RACE_STREAM, "order of what is written"},
		[INODE_QUEUE] = {DH_RACE_STREAM, "waiting connections"},
	};
	struct inode *i;
	enum dh_race_what what;

	if (inode == NONE)
		return NONE;
	i = &b->inodes[inode];
	if (S_ISCHR(i->mode) && major(i->rdev) == MEMORY_DEVICES)
		return NONE;
	if (i->parts[part] != NONE)
		return i->parts[part];
	what = parts[part].what == DH_RACE_META || part == INODE_QUEUE ? parts[part].what
	       : kind_of_data(i) == DH_RACE_TTY                        ? DH_RACE_TTY
								       : parts[part].what;
	i->parts[part] = dh_object_new(b, what, name_of(i), parts[part].aspect);
	return b->inodes[inode].parts[part];
}

uint32_t dh_global_object(struct builder *b, unsigned part, uint64_t id, enum dh_race_what what,
	const char *name, const char *aspect)
{
	uint64_t key[] = {part, id}, found, hash = XXH3_64bits(key, sizeof(key));
	uint32_t o;

	if (dh_map_get(&b->globals, hash, &found))
		return (uint32_t)found;
	o = dh_object_new(b, what, dh_arena_strdup(&b->h->arena, name), aspect);
	dh_map_set(&b->globals, hash, o);
	return o;
}

static uint32_t name_object(struct builder *b, const char *path, size_t len)
{
	uint64_t found, hash = XXH3_64bits(path, len);
	uint32_t o;

	if (!dh_map_get(&b->stored, hash, NULL))
		return NONE; /* nobody changes it */
	if (dh_map_get(&b->names, hash, &found))
		return (uint32_t)found;
	o = dh_object_new(b, DH_RACE_NAME, dh_arena_strndup(&b->h->arena, path, len), "name");
	dh_map_set(&b->names, hash, o);
	return o;
}

/* All directories on the way, and the name itself with `whole`. */
static void load_path(struct builder *b, const char *path, bool whole, bool sync)
{
	size_t len = strlen(path);

	if (path[0] != '/')
		return;
	for (size_t i = 1; i < len; i++) {
		if (path[i] == '/')
			dh_access(b, name_object(b, path, i), DH_HIST_LOAD);
	}
	if (whole && len > 1)
		dh_access_range(b, name_object(b, path, len), DH_HIST_LOAD, 0, UINT64_MAX, sync);
}

void dh_name_load(struct builder *b, const struct dh_ev_ref *ref, bool sync)
{
	load_path(b, ref->path, true, sync);
	load_path(b, ref->given, true, sync);
}

void dh_name_store(struct builder *b, const struct dh_ev_ref *ref, bool sync)
{
	const char *slash = strrchr(ref->path, '/');

	load_path(b, ref->path, false, false);
	load_path(b, ref->given, false, false);
	dh_access_range(b, name_object(b, ref->path, strlen(ref->path)), DH_HIST_STORE, 0,
		UINT64_MAX, sync);
	if (slash) {
		char *dir =
			dh_strndup(ref->path, slash == ref->path ? 1 : (size_t)(slash - ref->path));

		dh_list_store(b, dir);
		free(dir);
	}
}

static uint32_t list_object(struct builder *b, const char *dir)
{
	uint64_t found, hash = dh_hash_text(dir);
	uint32_t o;

	if (!dh_map_get(&b->listed, hash, NULL))
		return NONE;
	if (dh_map_get(&b->lists, hash, &found))
		return (uint32_t)found;
	o = dh_object_new(b, DH_RACE_LIST, dh_arena_strdup(&b->h->arena, dir), "names in it");
	dh_map_set(&b->lists, hash, o);
	return o;
}

void dh_list_load(struct builder *b, const char *dir)
{
	dh_access(b, list_object(b, dir), DH_HIST_LOAD);
}

void dh_list_store(struct builder *b, const char *dir)
{
	uint64_t watcher;

	dh_access(b, list_object(b, dir), DH_HIST_STORE);
	if (dh_map_get(&b->watched, dh_hash_text(dir), &watcher) && b->inodes[watcher].pending)
		dh_vec_add(b->inodes[watcher].pending, b->now);
}

static uint32_t proc_object(struct builder *b, uint32_t process, const char *aspect)
{
	char name[64];

	snprintf(name, sizeof(name), "process %u", b->h->processes[process].pid);
	return dh_object_new(b, DH_RACE_PROCESS, dh_arena_strdup(&b->h->arena, name), aspect);
}

void dh_proc_exists(struct builder *b, uint32_t process, enum dh_hist_op op)
{
	if (process == NONE)
		return;
	if (b->process_states[process].there == NONE)
		b->process_states[process].there = proc_object(b, process, "whether it is there");
	dh_access(b, b->process_states[process].there, op);
}

void dh_proc_shows(struct builder *b, uint32_t process, enum dh_hist_op op)
{
	if (process == NONE)
		return;
	if (b->process_states[process].shown == NONE)
		b->process_states[process].shown = proc_object(b, process, DH_ASPECT_SHOWN);
	dh_access(b, b->process_states[process].shown, op);
}

uint32_t dh_proc_of_path(struct builder *b, const char *path)
{
	unsigned pid;
	uint64_t process;
	int n = 0;

	if (strncmp(path, "/proc/", 6) != 0 || sscanf(path + 6, "%u%n", &pid, &n) != 1 ||
		(path[6 + n] != '/' && path[6 + n]))
		return NONE;
	return dh_map_get(&b->pids, pid, &process) ? (uint32_t)process : NONE;
}

void dh_objects_prepare(struct builder *b, const struct dh_ev_call *ev)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(ev->nr);

	for (int i = 0; i < DH_SYS_EFFECTS && row->effects[i].op; i++) {
		const struct dh_sys_effect *e = &row->effects[i];
		const struct dh_ev_ref *ref = dh_ev_call_ref(ev, (enum dh_ref_role)e->role);

		if (!ref || !dh_effect_applies(ev, e))
			continue;
		if (e->part == DH_SYS_PART_LIST)
			dh_map_set(&b->listed, dh_hash_text(ref->path), 1);
		else if (e->part == DH_SYS_PART_NAME && e->op != DH_SYS_LOAD && ev->result >= 0)
			dh_map_set(&b->stored, dh_hash_text(ref->path), 1);
	}
}
