/* What a call is about, in recordings that describe their calls: paths and descriptors are looked
 * at here as src/record/lookup.c does at a stop, and with the same result.  What is rare, or would
 * come out differently for the program than for the tracer, is left to the tracer.
 *
 * The program's memory is read before a descriptor is opened: a fault ends this code at once. */
#include "buffer.h"
#include "text.h"

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/stat.h>

#define ORDER   ((struct dh_order *)DH_AREA_ORDER)
#define NOTES   ((uint8_t *)DH_AREA_NOTES)
#define DELETED " (deleted)"

/* A path of the call on its way to an object. */
struct place {
	char path[DH_NOTE_PATH]; /* as the call has it, then resolved */
	char text[DH_NOTE_PATH]; /* made absolute */
	char base[DH_NOTE_PATH];
	uint64_t text_len;
};

static struct dh_note_ref *begin_ref(struct dh_call *c, uint8_t role, int fd)
{
	struct dh_note_ref *r = (struct dh_note_ref *)c->note_at;

	*r = (struct dh_note_ref){.fd = fd, .role = role};
	return r;
}

static void end_ref(struct dh_call *c, struct dh_note_ref *r, const char *path, const char *given)
{
	char *at = (char *)(r + 1);
	uint64_t size;

	r->path = (uint16_t)length(path);
	r->given = (uint16_t)length(given);
	copy(at, path, r->path + 1u);
	copy(at + r->path + 1, given, r->given + 1u);
	size = sizeof(*r) + r->path + r->given + 2u;
	r->size = (uint32_t)(size + 7) & ~7u;
	for (; size < r->size; size++)
		((char *)r)[size] = '\0';
	c->note_at += r->size;
	c->note->n_refs++;
}

/* 0, or what statx said. */
static long look(struct dh_note_ref *r, uint64_t dir, const char *path, uint64_t flags)
{
	struct statx s;
	long e = dh_raw(__NR_statx, dir, (uint64_t)path, flags | AT_NO_AUTOMOUNT,
		STATX_BASIC_STATS | STATX_BTIME, (uint64_t)&s, 0);

	if (e < 0)
		return e;
	r->mode = s.stx_mode;
	r->dev[0] = s.stx_dev_major;
	r->dev[1] = s.stx_dev_minor;
	r->rdev[0] = s.stx_rdev_major;
	r->rdev[1] = s.stx_rdev_minor;
	r->ino = s.stx_ino;
	r->length = s.stx_size;
	if (s.stx_mask & STATX_BTIME)
		r->birth_ns = (uint64_t)s.stx_btime.tv_sec * 1000000000u + s.stx_btime.tv_nsec;
	return 0;
}

/* Where the files of the system are: neither they nor the links on the way change their names. */
static bool is_system(const char *path)
{
	return (begins(path, "/usr/") && !begins(path, "/usr/local/")) || begins(path, "/lib/") ||
	       begins(path, "/lib64/");
}

static void remember_opened(const struct dh_note_ref *r, const char *path)
{
	AREA->opened.known = 0;
	if ((r->mode & S_IFMT) != S_IFREG || !is_system(path) || length(path) >= DH_BUFFER_NAME)
		return;
	AREA->opened.ref = *r;
	copy(AREA->opened.path, path, length(path) + 1);
	AREA->opened.known = 1;
}

static bool add_opened(struct dh_call *c, uint8_t role, int fd)
{
	struct dh_note_ref *r = (struct dh_note_ref *)c->note_at;

	if (!AREA->opened.known || AREA->opened.ref.fd != fd)
		return false;
	*r = AREA->opened.ref;
	r->role = role;
	end_ref(c, r, AREA->opened.path, "");
	if (c->nr == __NR_close)
		AREA->opened.known = 0;
	return true;
}

/* False: somebody else must look. */
static bool add_fd(struct dh_call *c, uint8_t role, int fd)
{
	struct dh_note_ref *r = begin_ref(c, role, fd);
	char path[DH_NOTE_PATH];
	uint64_t n, tail = sizeof(DELETED) - 1;
	long e;

	if (add_opened(c, role, fd))
		return true;
	e = look(r, (uint64_t)fd, "", AT_EMPTY_PATH);
	path[0] = '\0';
	if (e == 0) {
		if (!path_of((uint32_t)fd, path))
			return false;
		n = length(path);
		if (n > tail && same(path + n - tail, DELETED))
			path[n - tail] = '\0';
	} else if (e != ERR(EBADF)) {
		return false;
	}
	if (c->nr == __NR_openat || c->nr == __NR_open)
		remember_opened(r, path);
	end_ref(c, r, path, "");
	return true;
}

static bool follows(uint8_t how, uint64_t flags)
{
	switch (how) {
	case DH_NOTE_NOFOLLOW:
		return false;
	case DH_NOTE_FOLLOW_UNLESS:
		return !(flags & AT_SYMLINK_NOFOLLOW);
	case DH_NOTE_FOLLOW_IF:
		return flags & AT_SYMLINK_FOLLOW;
	case DH_NOTE_FOLLOW_OPEN:
		return !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	default:
		return true;
	}
}

/* The program's own string. */
static bool fetch(char ret[DH_NOTE_PATH], uint64_t addr)
{
	const char *from = (const char *)addr;
	uint64_t n = 0;

	AREA->probing = 1;
	while (n < DH_NOTE_PATH && (ret[n] = from[n]))
		n++;
	AREA->probing = 0;
	return n < DH_NOTE_PATH;
}

/* One name, or "", "." and ".." as they are meant. */
static bool add_part(struct place *p, const char *part, uint64_t len)
{
	if (len == 0 || (len == 1 && part[0] == '.'))
		return true;
	if (len == 2 && part[0] == '.' && part[1] == '.') {
		while (p->text_len && p->text[--p->text_len] != '/')
			;
		return true;
	}
	if (p->text_len + len + 2 > DH_NOTE_PATH)
		return false;
	p->text[p->text_len++] = '/';
	copy(p->text + p->text_len, part, len);
	p->text_len += len;
	return true;
}

static bool add_parts(struct place *p, const char *s)
{
	while (*s) {
		uint64_t len = 0;

		while (s[len] && s[len] != '/')
			len++;
		if (!add_part(p, s, len))
			return false;
		s += len;
		while (*s == '/')
			s++;
	}
	return true;
}

/* Makes the path absolute, without "//", "/./" and "/../". */
static bool make_absolute(struct place *p, int dir)
{
	p->text_len = 0;
	if (p->path[0] != '/') {
		if (dir == AT_FDCWD ? !read_link("/proc/self/cwd", p->base)
				    : !path_of((uint32_t)dir, p->base))
			return false;
		if (!add_parts(p, p->base))
			return false;
	}
	if (!add_parts(p, p->path))
		return false;
	if (!p->text_len)
		p->text[p->text_len++] = '/';
	p->text[p->text_len] = '\0';
	/* That is somebody else for the tracer, which translates it. */
	return !begins(p->text, "/proc/self");
}

static bool is_missing(long e)
{
	return e == ERR(ENOENT) || e == ERR(ENOTDIR);
}

/* A name in a directory that is open: true when the last link was not to be followed. */
static bool look_at_name(
	struct dh_note_ref *r, uint64_t dir, const char *name, uint64_t flags, bool follow)
{
	long e = look(r, dir, name, flags);

	if (e < 0)
		return is_missing(e);
	return !follow || (r->mode & S_IFMT) != S_IFLNK;
}

static bool is_parent(const struct place *p, uint64_t len)
{
	const char *known = AREA->parent.text;
	uint64_t i = 0;

	while (i < len && known[i] == p->text[i])
		i++;
	return len && i == len && !known[i];
}

/* It is in p->path, and its own name in p->base. */
static void remember_parent(const struct place *p)
{
	AREA->parent.text[0] = '\0';
	if (!is_system(p->path) || !is_system(p->base) || length(p->path) >= DH_BUFFER_NAME ||
		length(p->base) >= DH_BUFFER_NAME)
		return;
	copy(AREA->parent.path, p->base, length(p->base) + 1);
	copy(AREA->parent.text, p->path, length(p->path) + 1);
}

/* The same for a directory that is known. */
static bool look_below(struct place *p, struct dh_note_ref *r, uint64_t leaf, bool follow)
{
	uint64_t n = length(AREA->parent.path);

	if (n + p->text_len - leaf + 2 > DH_NOTE_PATH)
		return false;
	copy(p->path, AREA->parent.path, n);
	p->path[n] = '/';
	copy(p->path + n + 1, p->text + leaf, p->text_len - leaf + 1);
	return look_at_name(r, (uint64_t)AT_FDCWD, p->path, AT_SYMLINK_NOFOLLOW, follow);
}

/* The directory that the last name is in is looked up by itself, for its own name. */
static bool look_from_parent(struct place *p, struct dh_note_ref *r, bool follow)
{
	uint64_t leaf = p->text_len, n;
	bool good;
	long fd;

	while (p->text[leaf - 1] != '/')
		leaf--;
	if (is_parent(p, leaf - 1) && p->text[leaf])
		return look_below(p, r, leaf, follow);
	copy(p->path, p->text, leaf - 1);
	p->path[leaf > 1 ? leaf - 1 : 0] = '\0';
	fd = dh_raw4(__NR_openat, AT_FDCWD, leaf > 1 ? p->path : "/",
		O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (fd < 0) {
		copy(p->path, p->text, p->text_len + 1);
		return is_missing(fd);
	}
	good = path_of((uint32_t)fd, p->base);
	if (good && leaf > 1)
		remember_parent(p);
	n = good ? length(p->base) : 0;
	if (n == 1)
		n = 0; /* "/" */
	good = good && n + p->text_len - leaf + 2 <= DH_NOTE_PATH;
	if (good) {
		copy(p->path, p->base, n);
		p->path[n] = '/';
		copy(p->path + n + 1, p->text + leaf, p->text_len - leaf + 1);
		good = look_at_name(r, (uint64_t)fd, p->text + leaf,
			p->text[leaf] ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH, follow);
	}
	dh_raw1(__NR_close, fd);
	return good;
}

/* A single name needs no look at its directory, which is named by a link. */
static bool is_name(const char *path)
{
	if (same(path, ".") || same(path, ".."))
		return false;
	while (*path && *path != '/')
		path++;
	return !*path;
}

static bool add_path(struct dh_call *c, unsigned i)
{
	const struct dh_note_row *row = &ORDER->rows[c->nr];
	bool follow = follows(row->refs[i].follow, c->arg[row->refs[i].flag_arg]);
	int dir = row->refs[i].dir == DH_NOTE_CWD ? AT_FDCWD : (int)c->arg[row->refs[i].dir];
	struct dh_note_ref *r;
	struct place p;

	if (!fetch(p.path, c->arg[row->refs[i].arg]))
		return false;
	if (!p.path[0])
		return dir < 0 || add_fd(c, (uint8_t)ORDER->role_fd, dir);
	r = begin_ref(c, row->refs[i].role, -1);
	if (is_name(p.path)) {
		if (!look_at_name(r, (uint64_t)dir, p.path, AT_SYMLINK_NOFOLLOW, follow) ||
			!make_absolute(&p, dir))
			return false;
		end_ref(c, r, p.text, "");
		return true;
	}
	if (!make_absolute(&p, dir) || !look_from_parent(&p, r, follow))
		return false;
	end_ref(c, r, p.path, same(p.path, p.text) ? "" : p.text);
	return true;
}

static bool add_ref(struct dh_call *c, unsigned i)
{
	const struct dh_note_row *row = &ORDER->rows[c->nr];
	uint64_t arg = c->arg[row->refs[i].arg];

	switch (row->refs[i].kind) {
	case DH_NOTE_KIND_PATH:
		return add_path(c, i);
	case DH_NOTE_KIND_FD:
		return (int)arg < 0 || add_fd(c, row->refs[i].role, (int)arg);
	case DH_NOTE_KIND_PAIR:
		return false;
	case DH_NOTE_KIND_ADDRESS:
		return !arg;
	default:
		return true;
	}
}

static void add_extra(struct dh_call *c, uint8_t extra)
{
	uint32_t request = (uint32_t)c->arg[1];
	const uint64_t *from = NULL;

	if (extra == DH_NOTE_EXTRA_LOCK && (request == F_SETLK || request == F_OFD_SETLK)) {
		from = (const uint64_t *)c->arg[2];
		c->note->n_extra = 4;
	} else if (extra == DH_NOTE_EXTRA_ACTION && c->arg[1]) {
		from = (const uint64_t *)c->arg[1];
		c->note->n_extra = 1;
	}
	AREA->probing = 1;
	for (unsigned i = 0; i < c->note->n_extra; i++)
		c->note->extra[i] = from[i];
	AREA->probing = 0;
}

/* Others count as well, and may come between any two instructions. */
static uint64_t next_moment(void)
{
	return __atomic_add_fetch(&ORDER->moments, 1, __ATOMIC_SEQ_CST);
}

static bool has_room(void)
{
	if (AREA->notes + DH_NOTE_MAX > DH_NOTES_SIZE)
		dh_buffer_stop(DH_BUFFER_STOP_NOTES, 0, 0, 0);
	return AREA->notes + DH_NOTE_MAX <= DH_NOTES_SIZE;
}

static unsigned touches(const struct dh_call *c)
{
	const struct dh_note_row *row = &ORDER->rows[c->nr];

	return dh_touch_how(row->touch, c->arg[row->refs[0].flag_arg]);
}

/* Whether a call that stops has to do with what the note, which is there, is about. */
static bool meets_busy(const struct dh_call *c)
{
	const uint8_t *at = (const uint8_t *)(c->note + 1);
	unsigned how = touches(c);
	struct dh_touch own;

	if (!ORDER->busy)
		return false;
	if (ORDER->crowd)
		return true;
	dh_touch_begin(&own, how);
	for (unsigned i = 0; i < c->note->n_refs; i++) {
		const struct dh_note_ref *r = (const struct dh_note_ref *)at;
		const char *path = (const char *)(r + 1);

		dh_touch_file(&own, r->mode, (uint64_t)r->dev[0] << 32 | r->dev[1], r->ino,
			r->rdev[0], how);
		dh_touch_path(&own, path, how);
		dh_touch_path(&own, path + r->path + 1, how);
		at += r->size;
	}
	for (unsigned i = 0; i < DH_ORDER_BUSY; i++) {
		if (ORDER->touched[i].used && dh_touch_meet(&own, &ORDER->touched[i]))
			return true;
	}
	return false;
}

bool dh_note_begin(struct dh_call *c)
{
	uint8_t how = c->nr < DH_NOTE_CALLS ? ORDER->rows[c->nr].how : DH_NOTE_STOPS;

	if (how == DH_NOTE_SILENT || (c->nr == __NR_mmap && (int)c->arg[4] < 0))
		return true;
	if (how == DH_NOTE_STOPS || (how == DH_NOTE_CLOCK && !AREA->own_clock))
		return false;
	if ((AREA->limited && !AREA->free) || !has_room())
		return false;
	c->note = (struct dh_note *)(NOTES + AREA->notes);
	c->note_at = (uint8_t *)(c->note + 1);
	c->note->nr = (uint16_t)c->nr;
	c->note->n_refs = c->note->n_extra = 0;
	for (unsigned i = 0; i < 6; i++)
		c->note->arg[i] = c->arg[i];
	add_extra(c, ORDER->rows[c->nr].extra);
	for (unsigned i = 0; i < 2; i++) {
		if (!add_ref(c, i))
			return false;
	}
	c->note->entered = ORDER->events;
	c->note->entered_nth = next_moment();
	return !meets_busy(c);
}

void dh_note_end(struct dh_call *c, long result)
{
	struct dh_note *n = c->note;
	const struct dh_note_row *row;

	if (!n)
		return;
	if (AREA->limited)
		AREA->free--;
	n->left = ORDER->events;
	n->left_nth = next_moment();
	n->result = result;
	row = &ORDER->rows[c->nr];
	for (unsigned i = 0; i < 2; i++) {
		if (row->refs[i].kind == DH_NOTE_KIND_NEW && result >= 0)
			add_fd(c, row->refs[i].role, (int)result);
	}
	n->size = (uint32_t)(c->note_at - (uint8_t *)n);
	/* It is whole before it counts: the process may be killed at any time. */
	__asm__ volatile("" ::: "memory");
	AREA->notes += n->size;
}
