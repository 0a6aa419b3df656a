/* What a call touches, as far as others must wait for it: a set of names and files, by hashes.  Two
 * calls that have none in common, or that both only look, may be made in any order.  Both the
 * tracer and the code in the process make such sets, in the same way. */
#pragma once
#include <stdint.h>

/* What a row (struct dh_note_row) says of all its calls. */
#define DH_TOUCH_STORES  1  /* changes what it names */
#define DH_TOUCH_CREATES 2  /* the same for a name, when the flags of open say so */
#define DH_TOUCH_NAMES   4  /* changes names of files, but of no directories or links */
#define DH_TOUCH_OFFSET  8  /* moves the offset of an open file */
#define DH_TOUCH_PROC    16 /* changes what /proc says */
#define DH_TOUCH_FUTEX   32
#define DH_TOUCH_ALL     64  /* has to do with anything that others touch */
#define DH_TOUCH_EVERY   128 /* even with calls that touch nothing */

/* /dev/null and its like, which remember nothing: their major number. */
#define DH_TOUCH_NULL 1

#define DH_TOUCH_MAX  9

struct dh_touch {
	uint16_t n;
	uint8_t all, every;
	uint32_t used; /* as one of several in a list */
	/* Hashes.  The lowest bit says that it is changed. */
	uint64_t what[DH_TOUCH_MAX];
};

static inline void dh_touch_add(struct dh_touch *t, uint64_t what, int stores)
{
	if (t->n == DH_TOUCH_MAX)
		t->all = 1;
	else
		t->what[t->n++] = (what & ~1ull) | (stores != 0);
}

static inline uint64_t dh_touch_text(const char *s, uint64_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (uint64_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)s[i]) * 0x100000001b3u;
	return h;
}

static inline int dh_touch_is_proc(const char *path)
{
	static const char proc[] = "/proc";
	unsigned i = 0;

	while (proc[i] && path[i] == proc[i])
		i++;
	return !proc[i] && (!path[i] || path[i] == '/');
}

/* A name; "" is none. */
static inline void dh_touch_path(struct dh_touch *t, const char *path, unsigned how)
{
	uint64_t n = 0, slash = 0;

	for (; path[n]; n++) {
		if (path[n] == '/')
			slash = n;
	}
	if (!n)
		return;
	dh_touch_add(t, dh_touch_text(path, n), how & DH_TOUCH_STORES);
	if (how & DH_TOUCH_NAMES) /* who lists the directory sees it */
		dh_touch_add(t, dh_touch_text(path, slash), 1);
	if (dh_touch_is_proc(path))
		dh_touch_add(t, DH_TOUCH_PROC, how & DH_TOUCH_STORES);
}

/* A file, or nothing at all (mode 0).  Ends of sockets and terminals have files of their own, and
 * what has no name shares one. */
static inline void dh_touch_file(struct dh_touch *t, uint32_t mode, uint64_t dev, uint64_t ino,
	unsigned device, unsigned how)
{
	uint32_t type = mode & 0170000;
	uint64_t file;

	if (!mode)
		return;
	file = (ino * 0x9e3779b97f4a7c15u) ^ dev;
	/* Reading a pipe changes it, and so does closing it. */
	dh_touch_add(t, file, (how & DH_TOUCH_STORES) || type == 0010000);
	if (how & DH_TOUCH_OFFSET)
		dh_touch_add(t, file + 2, 1);
	if (type != 0010000 && type != 0100000 && type != 0040000 && type != 0120000 &&
		!(type == 0020000 && device == DH_TOUCH_NULL))
		t->all = 1;
	if ((how & DH_TOUCH_NAMES) && type != 0100000)
		t->all = 1; /* what lies below has other names then */
}

/* What the row says of a call with these flags of open, if it has some. */
static inline unsigned dh_touch_how(unsigned row, uint64_t open_flags)
{
	const uint64_t creat = 0100, trunc = 01000;

	if ((row & DH_TOUCH_CREATES) && (open_flags & (creat | trunc)))
		row |= DH_TOUCH_STORES | DH_TOUCH_NAMES;
	return row;
}

static inline void dh_touch_begin(struct dh_touch *t, unsigned how)
{
	t->n = 0;
	t->all = (how & DH_TOUCH_ALL) != 0;
	t->every = (how & DH_TOUCH_EVERY) != 0;
	if (how & DH_TOUCH_PROC)
		dh_touch_add(t, DH_TOUCH_PROC, 1);
	if (how & DH_TOUCH_FUTEX)
		dh_touch_add(t, DH_TOUCH_FUTEX, 1);
}

static inline int dh_touch_meet(const struct dh_touch *a, const struct dh_touch *b)
{
	if (a->every || b->every)
		return 1;
	if ((a->all && (b->n || b->all)) || (b->all && a->n))
		return 1;
	for (unsigned i = 0; i < a->n && i < DH_TOUCH_MAX; i++) {
		for (unsigned k = 0; k < b->n && k < DH_TOUCH_MAX; k++) {
			if (a->what[i] >> 1 == b->what[k] >> 1 && ((a->what[i] | b->what[k]) & 1))
				return 1;
		}
	}
	return 0;
}
