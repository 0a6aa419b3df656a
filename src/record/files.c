/* Files that the program maps: copied into the recording, or identified by a hash when they belong
 * to the system and will still be there; and files that are mapped shared, whose later changes
 * through descriptors are logged. */
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "isa/random.h"
#include "record/buffer.h"
#include "record/notes.h"
#include "trace/files.h"
#include "trace/writer.h"

#define CHUNK      ((size_t)1 << 20)
#define RANDOM_MAX 16

struct identity {
	uint64_t dev, ino, size, mtime, ctime;
};

struct known_file {
	uint64_t id;
	bool logged; /* since the last checkpoint */
	struct dh_buf payload;
	uint64_t random[RANDOM_MAX]; /* offsets, see isa/random.h */
	int n_random;
};

static uint64_t mtime_ns(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec;
}

static uint64_t identify(const struct stat *st)
{
	struct identity id = {st->st_dev, st->st_ino, (uint64_t)st->st_size, mtime_ns(st),
		(uint64_t)st->st_ctim.tv_sec * 1000000000u + (uint64_t)st->st_ctim.tv_nsec};

	return XXH3_64bits(&id, sizeof(id));
}

/* Installed by the system's package manager: only an upgrade changes it, which the hash tells. */
static bool is_system_file(const char *path, const struct stat *st)
{
	static const char *const roots[] = {"/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/"};

	if (st->st_uid != 0 || (st->st_mode & 022) || strncmp(path, "/usr/local/", 11) == 0)
		return false;
	for (size_t i = 0; i < DH_ARRAY_SIZE(roots); i++) {
		if (strncmp(path, roots[i], strlen(roots[i])) == 0)
			return true;
	}
	return false;
}

static uint64_t log_file(struct recorder *r, struct known_file *known)
{
	if (!known->logged) {
		dh_buf_add(&r->payload, known->payload.data, known->payload.len);
		dh_rec_log(r, &(struct task){0}, DH_EV_FILE);
		known->logged = true;
	}
	return known->id;
}

static int find_random(int fd, uint64_t size, uint64_t *ret)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	int n;

	if (data == MAP_FAILED)
		return 0;
	n = dh_random_sites(data, size, ret, RANDOM_MAX);
	munmap(data, size);
	return n;
}

int dh_files_random(struct recorder *r, uint64_t id, const uint64_t **ret)
{
	dh_map_foreach (slot, &r->files) {
		struct known_file *known = (struct known_file *)(uintptr_t)slot->value;

		if (known->id == id) {
			*ret = known->random;
			return known->n_random;
		}
	}
	return 0;
}

uint64_t dh_files_add(struct recorder *r, int fd, const char *path)
{
	struct dh_ev_file e = {.path = path};
	struct dh_error err = DH_ERROR_INIT;
	struct known_file *known;
	uint64_t key;
	struct stat st;
	int n;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	key = identify(&st);
	known = dh_map_getp(&r->files, key);
	if (known)
		return log_file(r, known);
	e.id = r->next_file++;
	e.size = (uint64_t)st.st_size;
	e.mtime_ns = mtime_ns(&st);
	e.stored = !is_system_file(path, &st);
	if (e.stored)
		n = dh_trace_writer_add_file(r->writer, fd, e.hash, &err);
	else
		n = dh_trace_files_hash(fd, e.hash);
	if (n < 0)
		dh_rec_warn(
			r, "%s: %s; a replay needs this very file", path, dh_error_text(&err, n));
	known = dh_new(struct known_file);
	known->id = e.id;
	known->n_random = find_random(fd, e.size, known->random);
	dh_ev_put_file(&known->payload, &e);
	dh_map_setp(&r->files, key, known);
	if (n >= 0)
		dh_notes_file(r, e.id, &st);
	return log_file(r, known);
}

void dh_files_restart(struct recorder *r)
{
	dh_map_foreach (slot, &r->files)
		((struct known_file *)(uintptr_t)slot->value)->logged = false;
}

void dh_files_release(struct recorder *r)
{
	dh_map_foreach (slot, &r->files) {
		struct known_file *known = (struct known_file *)(uintptr_t)slot->value;

		dh_buf_release(&known->payload);
		free(known);
	}
	dh_map_release(&r->files);
}

static void log_shared(struct recorder *r, struct task *t, uint64_t key, uint64_t offset,
	const void *data, uint64_t len, bool truncate)
{
	struct dh_ev_shared e = {
		.key = key, .offset = offset, .data = data, .len = len, .truncate = truncate};

	dh_ev_put_shared(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_SHARED);
}

static void log_content(
	struct recorder *r, struct task *t, uint64_t key, int fd, off_t from, off_t to)
{
	while (from < to) {
		off_t data = lseek(fd, from, SEEK_DATA);
		ssize_t n;

		if (data < 0 || data >= to)
			return;
		dh_buf_clear(&r->scratch);
		n = pread(fd, dh_buf_reserve(&r->scratch, CHUNK),
			DH_MIN(CHUNK, (size_t)(to - data)), data);
		if (n <= 0)
			return;
		log_shared(r, t, key, (uint64_t)data, r->scratch.data, (uint64_t)n, false);
		from = data + n;
	}
}

uint64_t dh_files_identity(const struct stat *st)
{
	uint64_t id[2] = {st->st_dev, st->st_ino};

	return XXH3_64bits(id, sizeof(id));
}

uint64_t dh_files_shared_key(struct recorder *r, struct task *t, int fd)
{
	uint64_t key;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return 0;
	if (dh_map_get(&r->shared, dh_files_identity(&st), &key))
		return key;
	key = r->next_key++;
	dh_map_set(&r->shared, dh_files_identity(&st), key);
	dh_buffer_shared(r, st.st_dev, st.st_ino);
	log_shared(r, t, key, (uint64_t)st.st_size, NULL, 0, true);
	log_content(r, t, key, fd, 0, st.st_size);
	return key;
}

static off_t position(pid_t tid, int fd)
{
	char path[64], line[128];
	long long pos = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", tid, fd);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (!fgets(line, sizeof(line), f) || sscanf(line, "pos: %lld", &pos) != 1)
		pos = -1;
	fclose(f);
	return (off_t)pos;
}

/* Where a write to a file began. */
static off_t written_at(struct task *t, const struct dh_sys_call *c)
{
	switch (c->nr) {
	case SYS_pwrite64:
	case SYS_pwritev:
		return (off_t)c->arg[3];
	case SYS_pwritev2:
		if ((off_t)c->arg[3] != -1)
			return (off_t)c->arg[3];
		break;
	default:
		break;
	}
	return position(t->t.tid, (int)c->arg[0]) - (off_t)c->result;
}

static size_t link_of(pid_t tid, int fd, char ret[64])
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	n = DH_MAX(readlink(path, ret, 63), 0);
	ret[n] = '\0';
	return (size_t)n;
}

bool dh_files_is_memory(pid_t tid, int fd)
{
	char path[64];
	size_t n = link_of(tid, fd, path);

	return strncmp(path, "/proc/", 6) == 0 && n > 4 && strcmp(path + n - 4, "/mem") == 0;
}

bool dh_files_wrote_memory(
	struct recorder *r, struct task *t, const struct dh_sys_call *c, struct dh_sys_range *ret)
{
	char path[64];
	int pid = 0;

	link_of(t->t.tid, (int)c->arg[0], path);
	if (sscanf(path, "/proc/%d/", &pid) != 1)
		return false;
	if (pid != t->process->pid) {
		if (dh_map_get(&r->tasks, (uint64_t)pid, NULL))
			dh_rec_warn(r,
				"process %d changed the memory of process %d through /proc, which "
				"a replay does not repeat",
				t->process->pid, pid);
		return false;
	}
	*ret = (struct dh_sys_range){(uint64_t)written_at(t, c), (uint64_t)c->result};
	return true;
}

/* What a call did to a file: [from, to) has other bytes, or it has another size. */
struct change {
	int fd;
	off_t from, to;
	bool resized;
};

/* The offset that the kernel has moved on, or the descriptor's own. */
static off_t moved_from(struct task *t, const struct dh_sys_call *c, int fd, uint64_t pointer)
{
	int64_t offset = position(t->t.tid, fd);

	if (pointer && dh_tracee_read(&t->t, pointer, &offset, sizeof(offset)) < 0)
		return -1;
	return (off_t)(offset - c->result);
}

static bool describe_fallocate(const struct dh_sys_call *c, struct change *ret)
{
	*ret = (struct change){.fd = (int)c->arg[0], .resized = true};
	if (!(c->arg[1] & ~(uint64_t)FALLOC_FL_KEEP_SIZE))
		return true;
	ret->from = (off_t)c->arg[2];
	ret->to = c->arg[1] & (FALLOC_FL_COLLAPSE_RANGE | FALLOC_FL_INSERT_RANGE)
			  ? INT64_MAX
			  : (off_t)(c->arg[2] + c->arg[3]);
	return true;
}

static bool describe_change(struct task *t, const struct dh_sys_call *c, struct change *ret)
{
	uint64_t flags = 0;

	switch (c->nr) {
	case SYS_write:
	case SYS_writev:
	case SYS_pwrite64:
	case SYS_pwritev:
	case SYS_pwritev2:
		*ret = (struct change){.fd = (int)c->arg[0], .from = written_at(t, c)};
		break;
	case SYS_sendfile:
		*ret = (struct change){
			.fd = (int)c->arg[0], .from = moved_from(t, c, (int)c->arg[0], 0)};
		break;
	case SYS_splice:
	case SYS_copy_file_range:
		*ret = (struct change){
			.fd = (int)c->arg[2], .from = moved_from(t, c, (int)c->arg[2], c->arg[3])};
		break;
	case SYS_ftruncate:
		*ret = (struct change){.fd = (int)c->arg[0], .resized = true};
		return true;
	case SYS_fallocate:
		return describe_fallocate(c, ret);
	case SYS_creat:
	case SYS_open:
	case SYS_openat:
	case SYS_openat2:
		if (c->nr == SYS_openat2)
			dh_tracee_read(&t->t, c->arg[2], &flags, sizeof(flags));
		else
			flags = c->nr == SYS_creat  ? O_TRUNC
				: c->nr == SYS_open ? c->arg[1]
						    : c->arg[2];
		*ret = (struct change){.fd = (int)c->result, .resized = true};
		return flags & O_TRUNC;
	default:
		return false;
	}
	ret->to = ret->from + (off_t)c->result;
	return true;
}

/* Holes too: they may be new. */
static void log_bytes(
	struct recorder *r, struct task *t, uint64_t key, int fd, const struct change *change)
{
	for (off_t at = change->from; at < change->to;) {
		ssize_t n;

		dh_buf_clear(&r->scratch);
		n = pread(fd, dh_buf_reserve(&r->scratch, CHUNK),
			DH_MIN(CHUNK, (size_t)(change->to - at)), at);
		if (n <= 0)
			return;
		log_shared(r, t, key, (uint64_t)at, r->scratch.data, (uint64_t)n, false);
		at += n;
	}
}

void dh_files_changed(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	struct change change;
	char path[64];
	struct stat st;
	uint64_t key;

	if (c->result < 0 || !describe_change(t, c, &change))
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", t->t.tid, change.fd);
	if (stat(path, &st) < 0 || !dh_map_get(&r->shared, dh_files_identity(&st), &key))
		return;
	if (change.resized)
		log_shared(r, t, key, (uint64_t)st.st_size, NULL, 0, true);
	if (change.from < 0 || change.from >= change.to)
		return;
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		log_bytes(r, t, key, fd, &change);
}
