/* Who has which open file: tables of descriptors, as fork, dup, exec and close change them. */
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "explore/builder.h"

static struct files *table_of(struct builder *b, uint32_t task)
{
	return &b->files[b->task_states[task].files];
}

static uint32_t files_new(struct builder *b)
{
	DH_GROW(b->files, b->n_files, b->cap_files);
	b->files[b->n_files] = (struct files){.refs = 1};
	return (uint32_t)b->n_files++;
}

void dh_files_clone(struct builder *b, uint32_t parent, uint32_t child, bool shared)
{
	uint32_t f;

	if (shared) {
		b->task_states[child].files = b->task_states[parent].files;
		table_of(b, child)->refs++;
		return;
	}
	f = files_new(b);
	b->task_states[child].files = f;
	if (parent == NONE)
		return;
	dh_map_foreach (slot, &table_of(b, parent)->fds) {
		dh_map_set(&b->files[f].fds, slot->key, slot->value);
		b->open[slot->value / 2].refs++;
	}
}

static uint32_t open_new(struct builder *b, uint32_t inode)
{
	DH_GROW(b->open, b->n_open, b->cap_open);
	b->open[b->n_open] = (struct open_file){.inode = inode, .offset = NONE};
	return (uint32_t)b->n_open++;
}

static bool same_inode(struct builder *b, uint32_t file, const struct dh_ev_ref *ref)
{
	const struct inode *i = &b->inodes[b->open[file].inode];

	/* Those without an inode of their own have only their kind. */
	if (ref->path[0] == 'a' && strncmp(ref->path, "anon_inode:", 11) == 0)
		return strcmp(i->path, ref->path) == 0;
	return b->open[file].inode == dh_inode_of(b, ref);
}

struct open_file *dh_file_of(struct builder *b, const struct dh_ev_ref *ref)
{
	struct files *t = table_of(b, b->task);
	uint64_t entry, found;
	uint32_t inode;

	if (!ref || !ref->mode || ref->fd < 0)
		return NULL;
	if (dh_map_get(&t->fds, (uint64_t)ref->fd, &entry) &&
		same_inode(b, (uint32_t)(entry / 2), ref))
		return &b->open[entry / 2];
	/* From before the recording, or sent over a socket: all such that lead to one object are
	 * taken for one open file. */
	inode = dh_inode_of(b, ref);
	if (!dh_map_get(&b->inherited, inode, &found)) {
		found = open_new(b, inode);
		b->open[found].reads = b->open[found].writes = true;
		b->open[found].refs = 1; /* outside */
		dh_map_set(&b->inherited, inode, found);
	}
	b->open[found].refs++;
	dh_map_set(&t->fds, (uint64_t)ref->fd, found * 2);
	return &b->open[found];
}

static void drop(struct builder *b, uint32_t file)
{
	struct open_file *f = &b->open[file];
	uint32_t process = b->h->tasks[b->task].process;

	if (f->refs)
		f->refs--;
	/* Record locks go with any descriptor of the file, the others with the last one. */
	dh_lock_drop(b, f->inode, (uint64_t)process << 32, 0, UINT64_MAX);
	if (!f->refs)
		dh_lock_drop(b, f->inode, (uint64_t)file << 1 | 1, 0, UINT64_MAX);
	dh_stream_closed(b, f);
}

static void close_fd(struct builder *b, int fd)
{
	struct files *t = table_of(b, b->task);
	uint64_t entry;

	if (!dh_map_get(&t->fds, (uint64_t)fd, &entry))
		return;
	dh_map_del(&t->fds, (uint64_t)fd);
	drop(b, (uint32_t)(entry / 2));
}

static void set_fd(struct builder *b, int fd, uint32_t file, bool cloexec)
{
	close_fd(b, fd);
	b->open[file].refs++;
	dh_map_set(&table_of(b, b->task)->fds, (uint64_t)fd, (uint64_t)file * 2 + cloexec);
}

/* Which argument may have O_CLOEXEC, which all of them spell alike; -1 for none. */
static int cloexec_arg(int64_t nr)
{
	switch (nr) {
	case SYS_open:
	case SYS_socket:
	case SYS_socketpair:
	case SYS_pipe2:
	case SYS_eventfd2:
		return 1;
	case SYS_openat:
	case SYS_dup3:
		return 2;
	case SYS_accept4:
	case SYS_signalfd4:
		return 3;
	case SYS_epoll_create1:
	case SYS_inotify_init1:
		return 0;
	default:
		return -1;
	}
}

static bool is_anonymous(const struct dh_ev_ref *ref)
{
	return strncmp(ref->path, "anon_inode:", 11) == 0;
}

static uint32_t made(struct builder *b, const struct dh_ev_ref *ref, bool cloexec)
{
	uint32_t inode = is_anonymous(ref) ? dh_inode_anonymous(b, ref) : dh_inode_of(b, ref);
	uint32_t file;

	if (inode == NONE)
		return NONE;
	file = open_new(b, inode);
	b->open[file].pos_known = true;
	b->open[file].reads = b->open[file].writes = true;
	set_fd(b, ref->fd, file, cloexec);
	return file;
}

static void opened(struct builder *b, const struct dh_ev_ref *ref, bool cloexec)
{
	const struct dh_ev_call *ev = b->ev;
	uint64_t flags = ev->nr == SYS_open     ? ev->arg[1]
			 : ev->nr == SYS_openat ? ev->arg[2]
			 : ev->nr == SYS_creat  ? O_WRONLY
						: O_RDWR;
	uint32_t file = made(b, ref, cloexec);

	if (file == NONE)
		return;
	b->open[file].append = flags & O_APPEND;
	b->open[file].reads = (flags & O_ACCMODE) != O_WRONLY;
	b->open[file].writes = (flags & O_ACCMODE) != O_RDONLY;
}

static void made_pair(struct builder *b, bool cloexec)
{
	const struct dh_ev_ref *one = dh_ev_call_ref(b->ev, DH_REF_NEW);
	const struct dh_ev_ref *two = dh_ev_call_ref(b->ev, DH_REF_NEW2);
	uint32_t first, second;

	if (!one || !two)
		return;
	first = made(b, one, cloexec);
	second = made(b, two, cloexec);
	if (first == NONE || second == NONE)
		return;
	if (b->ev->nr == SYS_socketpair) {
		dh_stream_pair(b, b->open[first].inode, b->open[second].inode);
		return;
	}
	b->open[first].writes = false;
	b->open[second].reads = false;
}

static void duplicated(struct builder *b, bool cloexec)
{
	const struct dh_ev_ref *to = dh_ev_call_ref(b->ev, DH_REF_NEW);
	struct open_file *f = dh_file_of(b, dh_ev_call_ref(b->ev, DH_REF_FD));

	if (f && to && to->fd != (int)b->ev->arg[0])
		set_fd(b, to->fd, (uint32_t)(f - b->open), cloexec);
}

static void controlled(struct builder *b)
{
	struct files *t = table_of(b, b->task);
	uint64_t entry, fd = b->ev->arg[0];
	struct open_file *f;

	switch ((int)b->ev->arg[1]) {
	case F_DUPFD:
		duplicated(b, false);
		break;
	case F_DUPFD_CLOEXEC:
		duplicated(b, true);
		break;
	case F_SETFD:
		if (dh_map_get(&t->fds, fd, &entry))
			dh_map_set(&t->fds, fd, (entry & ~1ull) | (b->ev->arg[2] & FD_CLOEXEC));
		break;
	case F_SETFL:
		f = dh_file_of(b, dh_ev_call_ref(b->ev, DH_REF_FD));
		if (f)
			f->append = b->ev->arg[2] & O_APPEND;
		break;
	default:
		break;
	}
}

/* Closes those for which `all`, or which are to be closed by exec, in [first, last]. */
static void close_many(struct builder *b, bool all, uint64_t first, uint64_t last)
{
	struct vec fds = {0};

	dh_map_foreach (slot, &table_of(b, b->task)->fds) {
		if (slot->key >= first && slot->key <= last && (all || (slot->value & 1)))
			dh_vec_add(&fds, (uint32_t)slot->key);
	}
	for (size_t i = 0; i < fds.n; i++)
		close_fd(b, (int)fds.v[i]);
	dh_vec_release(&fds);
}

void dh_files_exec(struct builder *b)
{
	struct files *t = table_of(b, b->task);

	if (t->refs > 1) { /* exec gives the process a table of its own */
		uint32_t former = b->task_states[b->task].files, f = files_new(b);

		b->files[former].refs--;
		b->task_states[b->task].files = f;
		dh_map_foreach (slot, &b->files[former].fds) {
			dh_map_set(&b->files[f].fds, slot->key, slot->value);
			b->open[slot->value / 2].refs++;
		}
	}
	close_many(b, false, 0, UINT64_MAX);
}

void dh_files_end(struct builder *b, uint32_t task)
{
	struct files *t = table_of(b, task);

	if (--t->refs)
		return;
	close_many(b, true, 0, UINT64_MAX);
	dh_map_release(&table_of(b, task)->fds);
}

void dh_files_update(struct builder *b)
{
	const struct dh_ev_call *ev = b->ev;
	const struct dh_ev_ref *new = dh_ev_call_ref(ev, DH_REF_NEW);
	int arg = cloexec_arg(ev->nr);
	bool cloexec = arg >= 0 && (ev->arg[arg] & O_CLOEXEC);

	if (ev->result < 0)
		return;
	switch (ev->nr) {
	case SYS_close:
		close_fd(b, (int)ev->arg[0]);
		break;
	case SYS_close_range:
		if (!(ev->arg[2] & CLOSE_RANGE_CLOEXEC))
			close_many(b, true, (uint32_t)ev->arg[0], (uint32_t)ev->arg[1]);
		break;
	case SYS_dup:
	case SYS_dup2:
	case SYS_dup3:
		duplicated(b, cloexec);
		break;
	case SYS_fcntl:
		controlled(b);
		break;
	case SYS_pipe:
	case SYS_pipe2:
	case SYS_socketpair:
		made_pair(b, cloexec);
		break;
	default:
		if (new)
			opened(b, new, cloexec);
		break;
	}
}

void dh_build_files_release(struct builder *b)
{
	for (size_t i = 0; i < b->n_files; i++)
		dh_map_release(&b->files[i].fds);
	free(b->files);
	free(b->open);
}
