/* Recordings told by hand: processes and what their calls were about. */
#pragma once
#include "../trace/recording.h"

#include <linux/sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "base/buf.h"
#include "explore/history.h"
#include "explore/race.h"
#include "trace/event.h"

struct story {
	char *dir;
	struct dh_trace_writer *w;
};

static inline void put(struct story *s, enum dh_ev kind, uint32_t task, struct dh_buf *payload)
{
	struct iovec part = {payload->data, payload->len};

	assert_int_equal(dh_trace_writer_add(s->w, (uint16_t)kind, task, &part, 1), 0);
	dh_buf_release(payload);
}

static inline struct dh_ev_ref ref_path(const char *path, uint64_t ino)
{
	return (struct dh_ev_ref){.role = DH_REF_PATH,
		.fd = -1,
		.mode = ino ? S_IFREG | 0644 : 0,
		.dev = 1,
		.ino = ino,
		.path = path,
		.given = ""};
}

static inline struct dh_ev_ref ref_fd(enum dh_ref_role role, int fd, uint32_t mode, uint64_t ino)
{
	return (struct dh_ev_ref){.role = role,
		.fd = fd,
		.mode = mode,
		.dev = 1,
		.ino = ino,
		.path = "",
		.given = ""};
}

static inline void told(struct story *s, uint32_t task, struct dh_ev_call c)
{
	struct dh_buf b = DH_BUF_INIT;

	c.entered = dh_trace_writer_next_seq(s->w);
	c.text = c.text ? c.text : "";
	dh_ev_put_call(&b, &c);
	put(s, DH_EV_CALL, task, &b);
}

/* A call about one object. */
static inline void call(
	struct story *s, uint32_t task, int64_t nr, int64_t result, struct dh_ev_ref ref)
{
	told(s, task, (struct dh_ev_call){.nr = nr, .result = result, .n_refs = 1, .refs = {ref}});
}

static inline void clones(
	struct story *s, uint32_t parent, uint32_t child, int64_t nr, uint64_t flags)
{
	struct dh_ev_clone e = {
		.child = child, .child_tid = 100 + child, .child_pid = 100 + child, .flags = flags};
	struct dh_buf b = DH_BUF_INIT;

	dh_ev_put_clone(&b, &e);
	put(s, DH_EV_CLONE, parent, &b);
	told(s, parent, (struct dh_ev_call){.nr = nr, .result = 100 + child});
}

static inline void forks(struct story *s, uint32_t parent, uint32_t child)
{
	clones(s, parent, child, SYS_fork, 0);
}

static inline void ends(struct story *s, uint32_t task)
{
	struct dh_buf b = DH_BUF_INIT, none = DH_BUF_INIT;

	told(s, task, (struct dh_ev_call){.nr = SYS_exit_group});
	dh_ev_put_exit(&b, &(struct dh_ev_exit){.last = true}, &none, 0);
	put(s, DH_EV_EXIT, task, &b);
}

static inline void waits(struct story *s, uint32_t parent, int64_t which, uint32_t child)
{
	told(s, parent,
		(struct dh_ev_call){
			.nr = SYS_wait4, .arg = {(uint64_t)which}, .result = 100 + child});
}

static inline void kills(struct story *s, uint32_t task, uint32_t whom, int sig)
{
	told(s, task, (struct dh_ev_call){.nr = SYS_kill, .arg = {100 + whom, (uint64_t)sig}});
}

/* A handler is entered, behind which the signals in the mask are blocked. */
static inline void struck_with(struct story *s, uint32_t task, int sig, uint64_t mask)
{
	uint8_t frame[sizeof(uint64_t) + sizeof(ucontext_t)] = {0};
	struct dh_buf b = DH_BUF_INIT;

	memcpy(frame + sizeof(uint64_t) + offsetof(ucontext_t, uc_sigmask), &mask, sizeof(mask));
	dh_ev_put_signal(&b, &(struct dh_ev_signal){.sig = sig,
				     .where = DH_AT_BOUNDARY,
				     .frame_data = frame,
				     .frame_len = sizeof(frame)});
	put(s, DH_EV_SIGNAL, task, &b);
}

static inline void struck(struct story *s, uint32_t task, int sig)
{
	struck_with(s, task, sig, 0);
}

/* Process 101 (task 1), which has made two children: tasks 2 and 3. */
static inline void begin(struct story *s)
{
	s->dir = scratch_new();
	s->w = open_writer(s->dir, 0);
	told(s, 1, (struct dh_ev_call){.nr = SYS_execve, .text = "parent"});
	forks(s, 1, 2);
	forks(s, 1, 3);
}

static inline struct dh_history *finish(struct story *s, struct dh_races *races)
{
	struct dh_history *h;

	assert_int_equal(dh_trace_writer_close(s->w, NULL), 0);
	assert_int_equal(dh_history_load(s->dir, &h, NULL), 0);
	dh_races_detect(h, races);
	scratch_free(s->dir);
	return h;
}

/* The only race of that kind between these two calls, or NULL. */
static inline const struct dh_race *between(
	const struct dh_history *h, const struct dh_races *races, int64_t one, int64_t two)
{
	const struct dh_race *found = NULL;

	for (size_t i = 0; i < races->n; i++) {
		const struct dh_race *r = &races->races[i];

		if (h->calls[r->calls[0]].ev->nr == one && h->calls[r->calls[1]].ev->nr == two)
			found = r;
	}
	return found;
}
