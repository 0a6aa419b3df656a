#include "trace/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/files.h"
#include "trace/format.h"
#include "trace/meta.h"
#include "trace/queue.h"

/* How much is added between two looks at the size of the segment. */
#define CHECK_STEP (64u << 10)

struct dh_trace_writer {
	struct dh_trace_queue queue;
	struct dh_trace_files files;
	char *dir;
	int dir_fd;
	uint64_t max_size;
	uint64_t rejected;                 /* events that came after an error */
	uint32_t segment;                  /* that the next event goes to */
	uint64_t segment_seq, segment_raw; /* where it began */
	uint64_t next_check;
	bool wants_segment;
};

static int check_empty(const char *dir, struct dh_error *err)
{
	DIR *d = opendir(dir);
	bool empty = true;
	struct dirent *e;

	if (!d)
		return dh_error_set(err, errno, "%s: %s", dir, strerror(errno));
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			empty = false;
	closedir(d);
	if (!empty)
		return dh_error_set(err, ENOTEMPTY,
			"%s: not empty; choose another directory for the recording", dir);
	return 0;
}

static int make_dir(const char *dir, struct dh_error *err)
{
	DH_FREE char *files = dh_asprintf("%s/files", dir);
	int r = dh_mkdir_p(dir, 0755, err);

	if (r == 0)
		r = check_empty(dir, err);
	if (r < 0)
		return r;
	if (mkdir(files, 0755) < 0)
		return dh_error_set(err, errno, "%s: %s", files, strerror(errno));
	return 0;
}

static int choose_id(uint64_t *ret)
{
	uint64_t id = 0;

	while (id == 0)
		if (getrandom(&id, sizeof(id), 0) < 0 && errno != EINTR)
			return -errno;
	*ret = id;
	return 0;
}

static void writer_free(struct dh_trace_writer *w)
{
	dh_trace_queue_release(&w->queue);
	dh_trace_files_release(&w->files);
	dh_closep(&w->dir_fd);
	free(w->dir);
	free(w);
}

static int writer_new(const char *dir, const struct dh_trace_meta *m, struct dh_trace_writer **ret)
{
	DH_FD int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dh_trace_writer *w;
	struct dh_trace_sink sink;
	int r;

	if (dir_fd < 0)
		return -errno;
	r = dh_trace_sink_init(&sink, dir_fd, m->recording, m->max_size);
	sink.unsynced = m->flags & DH_TRACE_UNSYNCED;
	if (r < 0) {
		dh_trace_sink_release(&sink);
		return r;
	}
	w = dh_new(struct dh_trace_writer);
	w->dir = dh_strdup(dir);
	w->dir_fd = dir_fd;
	w->max_size = m->max_size;
	dir_fd = -1;
	dh_trace_files_init(&w->files, dir);
	r = dh_trace_queue_init(&w->queue, &sink);
	if (r < 0)
		writer_free(w);
	else
		*ret = w;
	return r;
}

int dh_trace_writer_open(const char *dir, const struct dh_trace_meta *meta, uint64_t max_size,
	struct dh_trace_writer **ret, struct dh_error *err)
{
	struct dh_trace_meta m = *meta;
	int r;

	if (max_size && max_size < DH_TRACE_RING_MIN)
		return dh_error_set(err, EINVAL, "a recording cannot be limited to less than 1M");
	r = make_dir(dir, err);
	if (r < 0)
		return r;
	r = choose_id(&m.recording);
	if (r < 0)
		return dh_error_set(err, -r, "no random numbers: %s", strerror(-r));
	m.max_size = max_size;
	m.flags = max_size ? m.flags | DH_TRACE_RING : m.flags & ~(uint32_t)DH_TRACE_RING;
	r = dh_trace_meta_write(dir, &m, err);
	if (r < 0)
		return r;
	r = writer_new(dir, &m, ret);
	if (r < 0)
		return dh_error_set(err, -r, "%s: cannot record: %s", dir, strerror(-r));
	return 0;
}

static size_t parts_len(const struct iovec *parts, int n_parts)
{
	size_t len = 0;

	for (int i = 0; i < n_parts && len <= DH_TRACE_EVENT_MAX; i++) {
		if (parts[i].iov_len > DH_TRACE_EVENT_MAX)
			return SIZE_MAX;
		len += parts[i].iov_len;
	}
	return len;
}

int dh_trace_writer_add(struct dh_trace_writer *w, uint16_t kind, uint32_t task,
	const struct iovec *parts, int n_parts)
{
	size_t len = parts_len(parts, n_parts);
	int r;

	if (len > DH_TRACE_EVENT_MAX)
		return -E2BIG;
	r = dh_trace_queue_add(&w->queue, kind, task, len, parts, n_parts);
	if (r < 0)
		w->rejected++;
	return r;
}

uint64_t dh_trace_writer_next_seq(const struct dh_trace_writer *w)
{
	return w->queue.next_seq;
}

/* What the segment takes on disk once everything in it is written: what is not written yet is
 * taken to compress like the rest. */
static uint64_t estimate_segment(struct dh_trace_writer *w, uint64_t raw)
{
	struct dh_trace_queue *q = &w->queue;
	uint64_t stored = 0;
	double ratio = 1;

	pthread_mutex_lock(&q->lock);
	if (q->segment == w->segment) {
		raw -= q->segment_raw;
		stored = q->segment_stored;
	}
	if (q->raw_written)
		ratio = (double)q->stored_written / (double)q->raw_written;
	pthread_mutex_unlock(&q->lock);
	return stored + (uint64_t)((double)raw * ratio);
}

bool dh_trace_writer_wants_segment(struct dh_trace_writer *w)
{
	uint64_t raw = w->queue.raw_added - w->segment_raw;

	if (!w->max_size || w->wants_segment || raw < w->next_check)
		return w->wants_segment;
	w->next_check = raw + CHECK_STEP;
	w->wants_segment = estimate_segment(w, raw) >= w->max_size / 4;
	return w->wants_segment;
}

int dh_trace_writer_new_segment(struct dh_trace_writer *w)
{
	int r;

	/* The current one is still empty: it will do. */
	if (w->queue.next_seq == w->segment_seq)
		return dh_trace_queue_error(&w->queue);
	r = dh_trace_queue_end_segment(&w->queue);
	if (r < 0)
		return r;
	w->segment++;
	w->segment_seq = w->queue.next_seq;
	w->segment_raw = w->queue.raw_added;
	w->next_check = CHECK_STEP;
	w->wants_segment = false;
	return 0;
}

/* A limit on the size of files would end the caller with SIGXFSZ; the error code is enough.  (The
 * writer's thread has all signals blocked.) */
static int store_file(struct dh_trace_files *files, int fd, char ret_hash[33], struct dh_error *err)
{
	const struct timespec none = {0};
	sigset_t limit, old;
	int r;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &old);
	r = dh_trace_files_add(files, fd, ret_hash, err);
	if (r == -EFBIG && !sigismember(&old, SIGXFSZ))
		sigtimedwait(&limit, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return r;
}

int dh_trace_writer_add_file(
	struct dh_trace_writer *w, int fd, char ret_hash[33], struct dh_error *err)
{
	int r = dh_trace_queue_error(&w->queue);

	if (r < 0)
		return dh_error_set(err, -r, "%s: recording has stopped: %s", w->dir, strerror(-r));
	r = store_file(&w->files, fd, ret_hash, err);
	/* Without the file what follows could not be replayed. */
	if (r == -ENOSPC || r == -EDQUOT || r == -EFBIG || r == -EIO)
		dh_trace_queue_fail(&w->queue, r);
	if (r < 0)
		return r;
	pthread_mutex_lock(&w->queue.lock);
	w->queue.other_bytes = w->files.bytes;
	pthread_mutex_unlock(&w->queue.lock);
	return 0;
}

void dh_trace_writer_stats(struct dh_trace_writer *w, struct dh_trace_writer_stats *ret)
{
	struct dh_trace_queue *q = &w->queue;

	pthread_mutex_lock(&q->lock);
	*ret = (struct dh_trace_writer_stats){
		.events = q->written_seq,
		.raw_bytes = q->raw_written,
		.stored_bytes = q->stored_written,
		.file_bytes = w->files.bytes,
		.segments = q->segment + 1,
	};
	if (dh_trace_queue_error(q))
		ret->dropped = q->next_seq - q->written_seq + w->rejected;
	pthread_mutex_unlock(&q->lock);
}

int dh_trace_writer_flush(struct dh_trace_writer *w)
{
	return dh_trace_queue_flush(&w->queue);
}

int dh_trace_writer_close(struct dh_trace_writer *w, struct dh_error *err)
{
	int r;

	if (!w)
		return 0;
	r = dh_trace_queue_stop(&w->queue);
	if (r < 0)
		dh_error_set(err, -r,
			"%s: recording stopped: %s; whole up to event %" PRIu64 ", %" PRIu64
			" later ones dropped",
			w->dir, strerror(-r), w->queue.written_seq,
			w->queue.next_seq - w->queue.written_seq + w->rejected);
	writer_free(w);
	return r;
}

void dh_trace_writer_abandon(const struct dh_trace_writer *w)
{
	close(w->dir_fd);
	if (w->queue.sink.fd >= 0)
		close(w->queue.sink.fd);
}
