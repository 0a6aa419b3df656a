#include "record/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>

#include "base/alloc.h"
#include "record/buffer.h"
#include "record/describe.h"
#include "sysmodel/effects.h"
#include "wire/buffer.h"

#define SAME(a, b) _Static_assert((int)DH_SYS_##a == (int)DH_NOTE_##b, "")

SAME(REF_NONE, KIND_NONE);
SAME(REF_PATH, KIND_PATH);
SAME(REF_FD, KIND_FD);
SAME(REF_NEW, KIND_NEW);
SAME(REF_PAIR, KIND_PAIR);
SAME(REF_ADDRESS, KIND_ADDRESS);
SAME(FOLLOW, FOLLOW);
SAME(NOFOLLOW, NOFOLLOW);
SAME(FOLLOW_UNLESS, FOLLOW_UNLESS);
SAME(FOLLOW_IF, FOLLOW_IF);
SAME(FOLLOW_OPEN, FOLLOW_OPEN);
SAME(CWD, CWD);
SAME(MAX_NR + 1, CALLS);

static bool tells_the_time(int64_t nr)
{
	return nr == SYS_clock_gettime || nr == SYS_gettimeofday || nr == SYS_time;
}

/* Whether it makes or removes names of existing files, or makes a plain file. */
static bool names_files(int64_t nr)
{
	return nr == SYS_open || nr == SYS_openat || nr == SYS_openat2 || nr == SYS_creat ||
	       nr == SYS_unlink || nr == SYS_unlinkat || nr == SYS_rename || nr == SYS_renameat ||
	       nr == SYS_renameat2 || nr == SYS_link || nr == SYS_linkat;
}

static unsigned touch_of(int64_t nr, const struct dh_sys_effect *e)
{
	bool stores = e->op != DH_SYS_LOAD;

	switch (e->part) {
	case DH_SYS_PART_NAME:
		if (!stores)
			return 0;
		if (!names_files(nr))
			return DH_TOUCH_ALL;
		return nr == SYS_open || nr == SYS_openat ? DH_TOUCH_CREATES
							  : DH_TOUCH_STORES | DH_TOUCH_NAMES;
	case DH_SYS_PART_LIST:
	case DH_SYS_PART_DATA:
	case DH_SYS_PART_ALL:
	case DH_SYS_PART_MODE:
	case DH_SYS_PART_OWNER:
	case DH_SYS_PART_TIMES:
	case DH_SYS_PART_SIZE:
	case DH_SYS_PART_XATTR:
	case DH_SYS_PART_LOCK:
		return stores && e->on == DH_SYS_ON_ANY ? DH_TOUCH_STORES : 0;
	case DH_SYS_PART_OFFSET:
		return DH_TOUCH_OFFSET;
	case DH_SYS_PART_ACTION: /* meets signals, which meet every call */
	case DH_SYS_PART_CHILD:  /* meets ends of processes, which stop */
		return 0;
	case DH_SYS_PART_FUTEX:
		return DH_TOUCH_FUTEX;
	case DH_SYS_PART_PROC:
	case DH_SYS_PART_PPID:
	case DH_SYS_PART_GROUP:
		return stores ? DH_TOUCH_PROC : 0;
	case DH_SYS_PART_SIGNAL:
		return DH_TOUCH_EVERY;
	default:
		return DH_TOUCH_ALL;
	}
}

/* What others must not overtake a call with. */
static unsigned touches(int64_t nr)
{
	const struct dh_sys_effects *e = dh_sysmodel_effects(nr);
	unsigned how = e->flags & DH_SYS_AT_OFFSET ? DH_TOUCH_OFFSET : 0;

	if (!e->known)
		return DH_TOUCH_EVERY;
	for (int i = 0; i < DH_SYS_EFFECTS && e->effects[i].op; i++)
		how |= touch_of(nr, &e->effects[i]);
	return how;
}

/* How the code in the process describes a call. */
static struct dh_note_row row_of(int64_t nr, bool fed)
{
	const struct dh_sys_effects *e = dh_sysmodel_effects(nr);
	struct dh_note_row row = {.how = e->silent ? DH_NOTE_SILENT : DH_NOTE_MADE,
		.extra = nr == SYS_fcntl          ? DH_NOTE_EXTRA_LOCK
			 : nr == SYS_rt_sigaction ? DH_NOTE_EXTRA_ACTION
						  : DH_NOTE_EXTRA_NONE,
		.touch = (uint8_t)touches(nr)};

	_Static_assert(DH_SYS_REFS == 3, "");
	if (e->refs[2].kind || (fed && nr == SYS_getrandom))
		row.how = DH_NOTE_STOPS;
	else if (fed && tells_the_time(nr))
		row.how = DH_NOTE_CLOCK;
	for (size_t i = 0; i < DH_ARRAY_SIZE(row.refs); i++) {
		const struct dh_sys_ref *ref = &e->refs[i];

		row.refs[i].kind = ref->kind;
		row.refs[i].role = ref->role;
		row.refs[i].arg = ref->arg;
		row.refs[i].dir = ref->dir;
		row.refs[i].follow = ref->follow;
		row.refs[i].flag_arg = ref->follow_arg;
		/* Requests that make one are not buffered. */
		if (nr == SYS_fcntl && ref->kind == DH_SYS_REF_NEW)
			row.refs[i].kind = DH_NOTE_KIND_NONE;
	}
	return row;
}

/* Shared memory that a process can be given without a descriptor or a name, whatever it sees of the
 * file system; it ends with those who use it.  Without it all calls that are described stop. */
void dh_notes_open(struct recorder *r)
{
	void *p;

	if (!r->opt->calls)
		return;
	r->order_id = shmget(IPC_PRIVATE, DH_ORDER_SIZE, 0600);
	p = r->order_id < 0 ? (void *)-1 : shmat(r->order_id, NULL, 0);
	if (r->order_id >= 0)
		shmctl(r->order_id, IPC_RMID, NULL);
	if (p == (void *)-1) {
		r->order_id = -1;
		p = dh_zalloc(DH_ORDER_SIZE);
	}
	r->order = p;
	r->order->role_fd = DH_REF_FD;
	for (int64_t nr = 0; nr < DH_NOTE_CALLS; nr++)
		r->order->rows[nr] = row_of(nr, r->gate && r->gate->feed);
}

void dh_notes_close(struct recorder *r)
{
	if (r->order && r->order_id >= 0)
		shmdt(r->order);
	else
		free(r->order);
	r->order = NULL;
	dh_buf_release(&r->notes);
	dh_buf_release(&r->note_payload);
}

bool dh_notes_attaching(struct recorder *r, struct dh_landing_call *ret)
{
	if (!r->order || r->order_id < 0)
		return false;
	*ret = (struct dh_landing_call){
		SYS_shmat, {(uint64_t)r->order_id, DH_AREA_ORDER, SHM_REMAP}, 0};
	return true;
}

bool dh_notes_moves(const struct task *t, uint64_t clone_flags)
{
	const uint64_t other = CLONE_NEWNS | CLONE_NEWUSER | CLONE_FS;

	switch (t->nr) {
	case SYS_chroot:
	case SYS_pivot_root:
	case SYS_setns:
		return true;
	case SYS_unshare:
		return dh_regs_arg(&t->entry, 0) & (CLONE_NEWNS | CLONE_NEWUSER);
	default:
		return (clone_flags & other) && !(clone_flags & CLONE_VM);
	}
}

static uint64_t ns_of(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * 1000000000u + (uint64_t)ts->tv_nsec;
}

void dh_notes_file(struct recorder *r, uint64_t id, const struct stat *st)
{
	uint32_t n = r->order ? __atomic_load_n(&r->order->n_files, __ATOMIC_RELAXED) : 0;

	if (!r->order || n >= DH_ORDER_FILES)
		return;
	r->order->files[n] = (struct dh_known_file){.id = id,
		.dev = st->st_dev,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime_ns = ns_of(&st->st_mtim),
		.ctime_ns = ns_of(&st->st_ctim)};
	__atomic_store_n(&r->order->n_files, n + 1, __ATOMIC_RELEASE);
}

void dh_notes_event(struct recorder *r)
{
	if (r->order)
		__atomic_store_n(&r->order->events, r->result->events, __ATOMIC_SEQ_CST);
}

uint64_t dh_notes_moment(struct recorder *r)
{
	return __atomic_add_fetch(&r->order->moments, 1, __ATOMIC_SEQ_CST);
}

/* A call that waits is passed by others in whatever order it likes; on a file it does not wait. */
static bool is_prompt(const struct task *t, const struct dh_sys_call *c)
{
	const struct dh_ev_ref *fd;

	if (c->nr == SYS_execve || c->nr == SYS_execveat)
		return true;
	if (dh_sysmodel_class(c) == DH_SYS_PROCESS)
		return false;
	if (!(dh_sysmodel_flags(c) & DH_SYS_BLOCKS))
		return true;
	fd = dh_ev_call_ref(&t->about->call, DH_REF_FD);
	return fd && (S_ISREG(fd->mode) || S_ISDIR(fd->mode)) && c->nr != SYS_flock &&
	       c->nr != SYS_fcntl;
}

/* A mapping that is shared and may be written to: from then on anything. */
static bool maps_writable(const struct dh_ev_call *c)
{
	return c->nr == SYS_mmap && (c->arg[2] & PROT_WRITE) && !(c->arg[3] & MAP_PRIVATE);
}

static void fill_touch(struct dh_touch *ret, const struct dh_ev_call *c)
{
	const struct dh_sys_ref *first = &dh_sysmodel_effects(c->nr)->refs[0];
	unsigned how = dh_touch_how(touches(c->nr), c->arg[first->follow_arg]);

	if (maps_writable(c))
		how |= DH_TOUCH_STORES;
	dh_touch_begin(ret, how);
	for (uint32_t i = 0; i < c->n_refs; i++) {
		const struct dh_ev_ref *ref = &c->refs[i];

		dh_touch_file(ret, ref->mode, (uint64_t)major(ref->dev) << 32 | minor(ref->dev),
			ref->ino, major(ref->rdev), how);
		dh_touch_path(ret, ref->path, how);
		dh_touch_path(ret, ref->given, how);
	}
}

/* The processes can write there too: what is read back from it is never relied on. */
void dh_notes_busy(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	if (!r->order || t->silent || t->busy || !is_prompt(t, c))
		return;
	t->busy = true;
	t->busy_place = 0;
	while (t->busy_place < DH_ORDER_BUSY && r->order->touched[t->busy_place].used)
		t->busy_place++;
	if (t->busy_place == DH_ORDER_BUSY) {
		r->order->crowd++;
	} else {
		struct dh_touch touch = {.used = 1};

		fill_touch(&touch, &t->about->call);
		r->order->touched[t->busy_place] = touch;
	}
	__atomic_add_fetch(&r->order->busy, 1, __ATOMIC_SEQ_CST);
}

void dh_notes_idle(struct recorder *r, struct task *t)
{
	if (!t->busy)
		return;
	t->busy = false;
	if (t->busy_place == DH_ORDER_BUSY)
		r->order->crowd--;
	else
		r->order->touched[t->busy_place].used = 0;
	__atomic_sub_fetch(&r->order->busy, 1, __ATOMIC_SEQ_CST);
}

/* Notes come from a process that may have written anything over them. */

/* The next one of those that lie in [*at, end), or NULL. */
static const struct dh_note *next_note(const uint8_t **at, const uint8_t *end)
{
	const struct dh_note *n = (const struct dh_note *)*at;

	if ((size_t)(end - *at) < sizeof(*n) || n->size < sizeof(*n) || n->size % 8 ||
		n->size > (size_t)(end - *at) || n->n_refs > DH_NOTE_REFS ||
		n->n_extra > DH_ARRAY_SIZE(n->extra))
		return NULL;
	*at += n->size;
	return n;
}

static bool get_ref(const uint8_t **at, const uint8_t *end, struct dh_ev_ref *ret)
{
	const struct dh_note_ref *n = (const struct dh_note_ref *)*at;
	const char *path = (const char *)(n + 1);

	if ((size_t)(end - *at) < sizeof(*n) || n->size > (size_t)(end - *at) || n->size % 8 ||
		sizeof(*n) + n->path + n->given + 2 > n->size || n->role >= DH_REF_ROLES ||
		path[n->path] || path[n->path + 1 + n->given])
		return false;
	*ret = (struct dh_ev_ref){.role = n->role,
		.fd = n->fd,
		.mode = n->mode,
		.dev = makedev(n->dev[0], n->dev[1]),
		.rdev = makedev(n->rdev[0], n->rdev[1]),
		.ino = n->ino,
		.birth_ns = n->birth_ns,
		.size = n->length,
		.path = path,
		.given = path + n->path + 1};
	*at += n->size;
	return true;
}

static void add_text(const struct dh_note *n, char text[DH_DESCRIBE_TEXT])
{
	struct flock lock;

	text[0] = '\0';
	if (n->nr == SYS_fcntl && n->n_extra == sizeof(lock) / 8) {
		memcpy(&lock, n->extra, sizeof(lock));
		dh_describe_lock(text, &lock);
	} else if (n->nr == SYS_rt_sigaction && n->n_extra == 1) {
		dh_describe_action(text, n->extra[0]);
	}
}

static bool log_note(struct recorder *r, struct task *t, const struct dh_note *n)
{
	const uint8_t *at = (const uint8_t *)(n + 1), *end = (const uint8_t *)n + n->size;
	struct dh_ev_call c = {.nr = n->nr,
		.result = n->result,
		.entered = n->entered,
		.entered_nth = n->entered_nth,
		.left = n->left,
		.left_nth = n->left_nth,
		.n_refs = n->n_refs};
	char text[DH_DESCRIBE_TEXT];
	struct iovec part;

	memcpy(c.arg, n->arg, sizeof(c.arg));
	for (uint32_t i = 0; i < c.n_refs; i++) {
		if (!get_ref(&at, end, &c.refs[i]))
			return false;
	}
	add_text(n, text);
	c.text = text;
	dh_buf_clear(&r->note_payload);
	dh_ev_put_call(&r->note_payload, &c);
	part = (struct iovec){r->note_payload.data, r->note_payload.len};
	dh_rec_log_parts(r, t, DH_EV_CALL, &part, 1);
	dh_gate_passed(r, t, &c);
	return true;
}

void dh_notes_drain(struct recorder *r, struct task *t, uint64_t end)
{
	struct space *s = t->process->space;
	const struct dh_note *n;
	const uint8_t *at;
	uint64_t len;

	if (!r->order || end <= s->noted || end > DH_NOTES_SIZE)
		return;
	len = end - s->noted;
	dh_buf_clear(&r->notes);
	if (dh_area_read(t, DH_AREA_NOTES + s->noted, dh_buf_reserve(&r->notes, len), len) < 0)
		return;
	s->noted = end;
	at = (const uint8_t *)r->notes.data;
	while (at < (const uint8_t *)r->notes.data + len) {
		n = next_note(&at, (const uint8_t *)r->notes.data + len);
		if (n && log_note(r, t, n))
			continue;
		dh_rec_warn(r,
			"process %d has overwritten what it was about to say of its calls: "
			"some are missing",
			t->process->pid);
		return;
	}
}
