/* The memory of one process, for a checkpoint: its mappings, what lies behind them, and every page
 * that is not just a page of a file. */
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "wire/landing.h"

#define PAGE        4096ull
#define CHUNK_PAGES 128u
#define COMMAND_MAX ((size_t)4 << 20) /* more than Linux allows */
#define EVENT_BYTES ((size_t)1 << 20)
#define PRESENT     (1ull << 63)
#define SWAPPED     (1ull << 62)
#define OF_FILE     (1ull << 61)

struct snapshot {
	struct recorder *r;
	struct task *t;
	struct dh_map *live_keys;
	int pagemap;
	uint8_t *data;     /* CHUNK_PAGES pages */
	uint64_t n_writes; /* in r->writes */
	struct dh_ev_memory target;
};

static void flush_writes(struct snapshot *s)
{
	if (!s->n_writes)
		return;
	dh_ev_put_memory(&s->r->payload, &s->target, &s->r->writes, s->n_writes);
	dh_rec_log(s->r, s->t, DH_EV_MEMORY);
	dh_buf_clear(&s->r->writes);
	s->n_writes = 0;
}

static void add_write(struct snapshot *s, uint64_t addr, const void *data, uint64_t len)
{
	dh_ev_put_write(&s->r->writes, addr, data, len);
	s->n_writes++;
	if (s->r->writes.len >= EVENT_BYTES)
		flush_writes(s);
}

static bool is_zero(const uint8_t *page)
{
	return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* Pages at from go to `to`, without those of zeros if they need not be written. */
static void save_run(struct snapshot *s, uint64_t from, uint64_t to, uint64_t n, bool zeros)
{
	uint64_t run = 0;

	if (!n || dh_tracee_read(&s->t->t, from, s->data, n * PAGE) < 0)
		return;
	for (uint64_t i = 0; i <= n; i++) {
		if (i < n && (zeros || !is_zero(s->data + i * PAGE)))
			continue;
		if (i > run)
			add_write(s, to + run * PAGE, s->data + run * PAGE, (i - run) * PAGE);
		run = i + 1;
	}
}

/* Where there is no page map every page that can be read is taken for the process's own. */
static void save_own_pages(struct snapshot *s, const struct dh_vma *v, bool zeros)
{
	uint64_t entries[CHUNK_PAGES];

	for (uint64_t addr = v->start; addr < v->end;) {
		uint64_t n = DH_MIN((v->end - addr) / PAGE, (uint64_t)CHUNK_PAGES), run = 0;
		ssize_t got = -1;

		if (s->pagemap >= 0)
			got = pread(s->pagemap, entries, n * 8, (off_t)(addr / PAGE * 8));
		for (uint64_t i = 0; i <= n; i++) {
			bool own = got != (ssize_t)(n * 8) ||
				   (i < n && (entries[i] & (PRESENT | SWAPPED)) &&
					   !(entries[i] & OF_FILE));

			if (i < n && own)
				continue;
			save_run(s, addr + run * PAGE, addr + run * PAGE, i - run, zeros);
			run = i + 1;
		}
		addr += n * PAGE;
	}
}

/* All of a mapping whose file cannot be had. */
static void save_all_pages(struct snapshot *s, const struct dh_vma *v, uint64_t to)
{
	for (uint64_t addr = v->start; addr < v->end; addr += CHUNK_PAGES * PAGE)
		save_run(s, addr, to + (addr - v->start),
			DH_MIN((v->end - addr) / PAGE, (uint64_t)CHUNK_PAGES), false);
}

static int open_if_same(const char *path, const struct dh_vma *v)
{
	DH_FD int fd = -1;
	struct stat st;
	int result;

	/* Not everything may be opened without a side effect. */
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_ino != v->inode)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_ino != v->inode)
		return -1;
	result = fd;
	fd = -1;
	return result;
}

/* By its name, or, when that is gone, by the kernel's own link, which takes a privilege. */
static int open_backing(struct snapshot *s, const struct dh_vma *v)
{
	char link[96];
	int fd = open_if_same(v->path, v);

	if (fd < 0) {
		snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, s->t->t.tid,
			v->start, v->end);
		fd = open_if_same(link, v);
	}
	if (fd < 0) {
		snprintf(link, sizeof(link), "/proc/%d/exe", s->t->t.tid);
		fd = open_if_same(link, v);
	}
	return fd;
}

static uint64_t identity_of(const struct dh_vma *v, int fd)
{
	struct stat st = {.st_dev = makedev(v->dev_major, v->dev_minor), .st_ino = v->inode};

	if (strncmp(v->path, "/SYSV", 5) == 0)
		return v->inode | 1ull << 40;
	if (fd >= 0)
		fstat(fd, &st);
	return dh_files_identity(&st);
}

static void save_content(struct snapshot *s, int fd, off_t size)
{
	off_t at = 0;
	ssize_t n;

	while (at < size && (at = lseek(fd, at, SEEK_DATA)) >= 0) {
		n = pread(fd, s->data, CHUNK_PAGES * PAGE, at);
		if (n <= 0)
			return;
		add_write(s, (uint64_t)at, s->data, (uint64_t)n);
		at += n;
	}
}

/* The whole file once; or, when it cannot be opened, what each mapping shows of it. */
static void save_shared(struct snapshot *s, const struct dh_vma *v, int fd, uint64_t key)
{
	struct stat st;
	bool seen = dh_map_get(s->live_keys, key, NULL);

	dh_map_set(s->live_keys, key, 1);
	if (seen && fd >= 0)
		return;
	s->target = (struct dh_ev_memory){.key = key, .size = v->offset + v->end - v->start};
	if (fd >= 0 && fstat(fd, &st) == 0)
		s->target.size = (uint64_t)st.st_size;
	/* Nothing, at least: the size must be known even when there is no content. */
	add_write(s, 0, "", 0);
	if (fd >= 0)
		save_content(s, fd, (off_t)s->target.size);
	else
		save_all_pages(s, v, v->offset);
	flush_writes(s);
	s->target = (struct dh_ev_memory){0};
}

static void describe_backing(struct snapshot *s, const struct dh_vma *v, struct dh_ev_vma *e)
{
	DH_FD int fd = -1;
	uint64_t id;

	if (!v->inode)
		return;
	fd = open_backing(s, v);
	id = identity_of(v, fd);
	e->offset = v->offset;
	if (v->shared && strncmp(v->path, "/dev/zero", 9) == 0 &&
		!dh_map_get(&s->r->shared, id, NULL))
		dh_map_set(&s->r->shared, id, s->r->next_key++);
	if (dh_map_get(&s->r->shared, id, &e->key)) {
		e->shared = v->shared;
		save_shared(s, v, fd, e->key);
	} else if (fd >= 0) {
		e->file = dh_files_add(s->r, fd, v->path);
	}
}

static bool is_ours(const struct dh_vma *v)
{
	return (v->start >= DH_LANDING_START && v->start < DH_LANDING_END) ||
	       strcmp(v->path, "[vsyscall]") == 0;
}

static void describe_vmas(struct snapshot *s, const struct dh_maps *maps, struct dh_buf *out)
{
	for (size_t i = 0; i < maps->n; i++) {
		const struct dh_vma *v = &maps->vmas[i];
		struct dh_ev_vma e = {.start = v->start,
			.end = v->end,
			.prot = v->prot,
			.grows_down = strcmp(v->path, "[stack]") == 0};

		if (is_ours(v))
			continue;
		describe_backing(s, v, &e);
		dh_ev_put_vma(out, &e);
	}
}

static void read_command(pid_t tid, struct dh_buf *ret)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", tid);
	dh_read_file(path, COMMAND_MAX, ret, NULL);
	while (ret->len && !ret->data[ret->len - 1])
		ret->len--;
	for (size_t i = 0; i < ret->len; i++) {
		if (!ret->data[i])
			ret->data[i] = ' ';
	}
}

static void log_process(struct snapshot *s, const struct dh_buf *vmas)
{
	struct process *p = s->t->process;
	struct dh_ev_process e = {.pid = (uint32_t)p->pid,
		.mm = p->mm,
		.ppid = (uint32_t)p->parent,
		.stack = p->stack,
		.actions = (uint8_t *)p->actions,
		.vma_data = (uint8_t *)vmas->data,
		.vma_len = vmas->len};
	DH_BUF struct dh_buf command = DH_BUF_INIT;
	struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};

	read_command(s->t->t.tid, &command);
	e.command = dh_buf_str(&command);
	prlimit(p->pid, RLIMIT_STACK, NULL, &limit);
	e.stack_soft = limit.rlim_cur;
	e.stack_hard = limit.rlim_max;
	dh_ev_put_process(&s->r->payload, &e);
	dh_rec_log(s->r, s->t, DH_EV_PROCESS);
}

static void save_memory(struct snapshot *s, const struct dh_maps *maps, const struct dh_buf *vmas)
{
	const uint8_t *at = (uint8_t *)vmas->data, *end = at + vmas->len;
	struct dh_ev_vma e;

	for (size_t i = 0; i < maps->n; i++) {
		const struct dh_vma *v = &maps->vmas[i];

		if (is_ours(v) || dh_ev_next_vma(&at, end, &e) <= 0 || e.shared)
			continue;
		if (v->inode && !e.file && !e.key)
			save_all_pages(s, v, v->start);
		else
			save_own_pages(s, v, e.file || e.key);
	}
	flush_writes(s);
}

int dh_snapshot_process(
	struct recorder *r, struct task *first, bool with_memory, struct dh_map *live_keys)
{
	DH_BUF struct dh_buf vmas = DH_BUF_INIT;
	struct dh_maps maps = DH_MAPS_INIT;
	struct snapshot s = {.r = r, .t = first, .live_keys = live_keys};
	char path[32];
	int error = dh_maps_read(&maps, first->t.tid);

	if (error < 0 || !maps.n) {
		dh_maps_release(&maps);
		return -ESRCH;
	}
	snprintf(path, sizeof(path), "/proc/%d/pagemap", first->t.tid);
	DH_FD int pagemap = open(path, O_RDONLY | O_CLOEXEC);

	s.pagemap = pagemap;
	s.data = dh_alloc(CHUNK_PAGES * PAGE);
	dh_buf_clear(&r->writes);
	if (with_memory)
		describe_vmas(&s, &maps, &vmas);
	log_process(&s, &vmas);
	if (with_memory)
		save_memory(&s, &maps, &vmas);
	dh_maps_release(&maps);
	free(s.data);
	return 0;
}
