/* From the row of a call (sysmodel/effects.h) to accesses and inherent relations. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "explore/builder.h"
#include "sysmodel/effects.h"

static uint64_t open_flags(const struct dh_ev_call *ev)
{
	return ev->nr == SYS_open     ? ev->arg[1]
	       : ev->nr == SYS_openat ? ev->arg[2]
	       : ev->nr == SYS_creat  ? O_CREAT | O_TRUNC
				      : 0;
}

bool dh_effect_applies(const struct dh_ev_call *ev, const struct dh_sys_effect *e)
{
	const struct dh_ev_ref *path = dh_ev_call_ref(ev, DH_REF_PATH);

	if (e->op == DH_SYS_STORE && ev->result < 0 && ev->result != -EINPROGRESS)
		return false;
	switch ((enum dh_sys_on)e->on) {
	case DH_SYS_ON_ANY:
		return true;
	case DH_SYS_ON_CREATED:
		return (open_flags(ev) & O_CREAT) && path && !path->mode;
	case DH_SYS_ON_TRUNCATED:
		return (open_flags(ev) & O_TRUNC) && path && S_ISREG(path->mode);
	case DH_SYS_ON_WRITABLE:
		return (ev->arg[3] & MAP_SHARED) && (ev->arg[2] & PROT_WRITE);
	}
	return false;
}

static bool is_exclusive(const struct dh_ev_call *ev)
{
	uint64_t flags = open_flags(ev);

	if (flags)
		return (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
	return dh_sysmodel_effects(ev->nr)->flags & DH_SYS_EXCLUSIVE;
}

static bool removes(const struct dh_ev_call *ev, enum dh_ref_role role)
{
	switch (ev->nr) {
	case SYS_unlink:
	case SYS_unlinkat:
	case SYS_rmdir:
		return true;
	case SYS_rename:
	case SYS_renameat:
	case SYS_renameat2:
		return role == DH_REF_PATH;
	default:
		return false;
	}
}

static void on_name(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	bool exclusive = is_exclusive(b->ev);
	uint64_t hash = dh_hash_text(ref->path), last;

	(void)part;
	if (op == DH_HIST_LOAD) {
		dh_name_load(b, ref, exclusive);
		dh_proc_exists(b, dh_proc_of_path(b, ref->path), DH_HIST_LOAD);
		if (b->ev->nr == SYS_readlink || b->ev->nr == SYS_readlinkat)
			dh_proc_shows(b, dh_proc_of_path(b, ref->path), DH_HIST_LOAD);
		return;
	}
	/* Exclusive creation succeeds only when whoever had the name has given it up. */
	if (exclusive && dh_map_get(&b->removals, hash, &last))
		dh_build_after(b, (uint32_t)last);
	if (removes(b->ev, ref->role))
		dh_map_set(&b->removals, hash, b->now);
	dh_name_store(b, ref, exclusive);
}

static void on_meta(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	static const enum inode_part parts[DH_SYS_PARTS] = {
		[DH_SYS_PART_MODE] = INODE_MODE,
		[DH_SYS_PART_OWNER] = INODE_OWNER,
		[DH_SYS_PART_TIMES] = INODE_TIMES,
		[DH_SYS_PART_SIZE] = INODE_SIZE,
		[DH_SYS_PART_XATTR] = INODE_XATTR,
	};
	uint32_t inode = dh_inode_of(b, ref);

	if (inode == NONE || (!S_ISREG(ref->mode) && !S_ISDIR(ref->mode)))
		return;
	dh_access(b, dh_inode_object(b, inode, parts[part]), op);
}

/* The position of an open file, which processes share after a fork. */
static void move_offset(struct builder *b, struct open_file *f)
{
	uint32_t file = (uint32_t)(f - b->open);

	if (f->offset == NONE) {
		uint32_t o = dh_object_new(
			b, DH_RACE_OFFSET, b->inodes[f->inode].path, "position of the open file");

		b->open[file].offset = o;
	}
	dh_access_range(b, b->open[file].offset, DH_HIST_STORE, 0, UINT64_MAX, f->append);
}

static void data_range(const struct builder *b, const struct open_file *f,
	const struct dh_ev_ref *ref, enum dh_hist_op op, uint64_t *from, uint64_t *to)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(b->ev->nr);
	uint64_t n = b->ev->nr == SYS_mmap ? b->ev->arg[1]
		     : b->ev->result > 0   ? (uint64_t)b->ev->result
					   : 0;
	uint64_t wanted = row->count ? b->ev->arg[row->count - 1] : n ? n : UINT64_MAX;

	*from = row->offset ? b->ev->arg[row->offset - 1] : f->pos;
	if (op == DH_HIST_STORE && f->append && !row->offset)
		*from = ref->size;
	else if (!row->offset && !f->pos_known) {
		*from = 0;
		*to = UINT64_MAX;
		return;
	}
	/* Who finds the end would have seen what others add there. */
	if (op == DH_HIST_LOAD && n < wanted)
		n = wanted;
	*to = n > UINT64_MAX - *from ? UINT64_MAX : *from + n;
}

static void advance(struct builder *b, struct open_file *f, uint64_t from)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(b->ev->nr);

	if (!(row->flags & DH_SYS_AT_OFFSET) || row->offset || b->ev->result <= 0)
		return;
	if (f->pos_known)
		f->pos = from + (uint64_t)b->ev->result;
	move_offset(b, f);
}

static void on_data(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	struct open_file *f = dh_file_of(b, ref);
	uint64_t n = b->ev->result > 0 ? (uint64_t)b->ev->result : 0, from = 0, to = UINT64_MAX;
	const struct inode *i;

	(void)part;
	if (!f || f->inode == NONE || b->ev->result < 0)
		return;
	i = &b->inodes[f->inode];
	if (strncmp(i->path, "/proc/", 6) == 0) {
		dh_proc_shows(b, dh_proc_of_path(b, i->path), op);
		return;
	}
	if (dh_is_stream(i) || !(i->mode & S_IFMT)) {
		if (op == DH_HIST_STORE)
			dh_stream_write(b, f, n);
		else
			dh_stream_read(b, f, n);
		return;
	}
	if (S_ISREG(i->mode))
		data_range(b, f, ref, op, &from, &to);
	dh_access_range(b, dh_inode_object(b, f->inode, INODE_DATA), op, from, to,
		op == DH_HIST_STORE && f->append);
	if (S_ISREG(i->mode)) {
		if (op == DH_HIST_STORE && to > ref->size)
			dh_access(b, dh_inode_object(b, f->inode, INODE_SIZE), op);
		advance(b, f, from);
	}
}

static void on_all(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(b->ev->nr);
	uint32_t inode = dh_inode_of(b, ref);
	uint64_t from = row->offset ? b->ev->arg[row->offset - 1] : 0;

	(void)part;
	if (inode == NONE || b->ev->result < 0 || !S_ISREG(ref->mode))
		return;
	dh_access_range(b, dh_inode_object(b, inode, INODE_DATA), op, from, UINT64_MAX, false);
	if (op == DH_HIST_STORE)
		dh_access(b, dh_inode_object(b, inode, INODE_SIZE), op);
}

static void on_flock(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	struct open_file *f = dh_file_of(b, ref);
	struct lock_range want = {.to = UINT64_MAX};

	(void)op;
	(void)part;
	if (!f || b->ev->result < 0)
		return;
	want.owner = (uint64_t)(f - b->open) << 1 | 1;
	want.exclusive = b->ev->arg[1] & LOCK_EX;
	if (b->ev->arg[1] & LOCK_UN)
		dh_lock_drop(b, f->inode, want.owner, 0, UINT64_MAX);
	else
		dh_lock_take(b, f->inode, &want);
}

/* fcntl: what the recorder read of its struct flock. */
static void on_record_lock(struct builder *b)
{
	const struct dh_ev_ref *ref = dh_ev_call_ref(b->ev, DH_REF_FD);
	bool whole = (int)b->ev->arg[1] == F_OFD_SETLK || (int)b->ev->arg[1] == F_OFD_SETLKW;
	struct open_file *f = dh_file_of(b, ref);
	struct lock_range want = {0};
	long long start, len;
	int whence;
	char type;

	if (!f || b->ev->result < 0 ||
		sscanf(b->ev->text, "%c %d %lld %lld", &type, &whence, &start, &len) != 4)
		return;
	want.owner = whole ? (uint64_t)(f - b->open) << 1 | 1
			   : (uint64_t)b->h->tasks[b->task].process << 32;
	want.from = whence == SEEK_SET && start > 0 ? (uint64_t)start : 0;
	want.to = whence == SEEK_SET && len > 0 ? want.from + (uint64_t)len : UINT64_MAX;
	want.exclusive = type == 'W';
	if (type == 'U')
		dh_lock_drop(b, f->inode, want.owner, want.from, want.to);
	else
		dh_lock_take(b, f->inode, &want);
}

/* Writing changes the size only at the end of the file, which on_data() knows. */
static void on_size(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	if (op == DH_HIST_LOAD)
		on_meta(b, ref, op, part);
}

static void on_list(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	(void)op;
	(void)part;
	dh_list_load(b, ref->path);
}

static void on_offset(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part)
{
	struct open_file *f = dh_file_of(b, ref);

	(void)op;
	(void)part;
	if (!f || b->ev->result < 0 || !S_ISREG(ref->mode))
		return;
	f->pos = (uint64_t)b->ev->result;
	f->pos_known = true;
	move_offset(b, f);
}

typedef void handler(struct builder *b, const struct dh_ev_ref *ref, enum dh_hist_op op, int part);

static handler *const handlers[DH_SYS_PARTS] = {
	[DH_SYS_PART_NAME] = on_name,
	[DH_SYS_PART_LIST] = on_list,
	[DH_SYS_PART_DATA] = on_data,
	[DH_SYS_PART_ALL] = on_all,
	[DH_SYS_PART_MODE] = on_meta,
	[DH_SYS_PART_OWNER] = on_meta,
	[DH_SYS_PART_TIMES] = on_meta,
	[DH_SYS_PART_SIZE] = on_size,
	[DH_SYS_PART_XATTR] = on_meta,
	[DH_SYS_PART_OFFSET] = on_offset,
	[DH_SYS_PART_LOCK] = on_flock,
};

static bool is_meta(int part)
{
	return part >= DH_SYS_PART_MODE && part <= DH_SYS_PART_XATTR;
}

static void apply(struct builder *b, const struct dh_sys_effect *e)
{
	const struct dh_ev_ref *ref = dh_ev_call_ref(b->ev, (enum dh_ref_role)e->role);
	enum dh_hist_op op =
		e->op == DH_SYS_LOAD || b->ev->result < 0 ? DH_HIST_LOAD : DH_HIST_STORE;

	/* A path may be empty, and mean a descriptor. */
	if (!ref && e->role == DH_REF_PATH && is_meta(e->part))
		ref = dh_ev_call_ref(b->ev, DH_REF_FD);
	if (!handlers[e->part])
		dh_effect_on_process(b, op, e->part);
	else if (ref)
		handlers[e->part](b, ref, op, e->part);
}

/* Sockets meet by their addresses. */
static void connect_sockets(struct builder *b)
{
	const struct dh_ev_call *ev = b->ev;
	const struct dh_ev_ref *new = dh_ev_call_ref(ev, DH_REF_NEW);
	struct open_file *f = dh_file_of(b, dh_ev_call_ref(ev, DH_REF_FD));

	if (ev->nr == SYS_socket && new && (f = dh_file_of(b, new)))
		b->inodes[f->inode].datagram = (ev->arg[1] & 0xf) == SOCK_DGRAM;
	else if (!f || (ev->result < 0 && ev->result != -EINPROGRESS))
		return;
	else if (ev->nr == SYS_bind)
		dh_socket_bound(b, f->inode, ev->text);
	else if (ev->nr == SYS_connect)
		dh_socket_connect(b, f->inode, ev->text);
	else if ((ev->nr == SYS_accept || ev->nr == SYS_accept4) && new)
		dh_socket_accept(b, f->inode, dh_inode_of(b, new));
}

static void watch(struct builder *b)
{
	struct open_file *f = dh_file_of(b, dh_ev_call_ref(b->ev, DH_REF_FD));
	const struct dh_ev_ref *path = dh_ev_call_ref(b->ev, DH_REF_PATH);

	if (!f || !path || b->ev->result < 0)
		return;
	if (!b->inodes[f->inode].pending)
		b->inodes[f->inode].pending = dh_arena_alloc(&b->h->arena, sizeof(struct vec));
	dh_map_set(&b->watched, dh_hash_text(path->path), f->inode);
}

void dh_effects_of_call(struct builder *b)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(b->ev->nr);

	for (int i = 0; i < DH_SYS_EFFECTS && row->effects[i].op; i++) {
		if (dh_effect_applies(b->ev, &row->effects[i]))
			apply(b, &row->effects[i]);
	}
	dh_files_update(b);
	switch (b->ev->nr) {
	case SYS_fcntl:
		on_record_lock(b);
		break;
	case SYS_socket:
	case SYS_bind:
	case SYS_connect:
	case SYS_accept:
	case SYS_accept4:
		connect_sockets(b);
		break;
	case SYS_inotify_add_watch:
		watch(b);
		break;
	case SYS_execve:
	case SYS_execveat:
		if (b->ev->result == 0)
			dh_files_exec(b);
		break;
	default:
		break;
	}
}
