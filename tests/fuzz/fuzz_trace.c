/* The trace reader, fed with anything.  The first byte says what the rest is: checksums would stop
 * nearly every input at the door, so most kinds have theirs repaired first. */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/format.h"
#include "trace/meta.h"
#include "trace/reader.h"

enum kind {
	META,         /* the text of meta.json up to its checksum */
	META_AS_IS,   /* all of meta.json */
	EVENTS,       /* a segment; block headers are completed, their lengths stay */
	EVENTS_AS_IS, /* a segment as it is */
	EVENTS_PLAIN, /* the raw content of one block, which is then compressed */
	SEGMENTS,     /* like EVENTS, in two files; the first two bytes say where to divide */
	N_KINDS,
};

#define RECORDING 0x1122334455667788

static char *dir, *meta_dir;

static void remove_dirs(void)
{
	dh_remove_tree(dir);
	dh_remove_tree(meta_dir);
	free(dir);
	free(meta_dir);
}

static char *make_dir(void)
{
	char *d = dh_strdup(
		access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");

	if (!mkdtemp(d))
		abort();
	return d;
}

static void prepare(void)
{
	char *argv[] = {(char *)"prog", NULL};
	struct dh_trace_meta m = {.recording = RECORDING, .argv = argv, .cwd = (char *)"/"};

	if (dir)
		return;
	dir = make_dir();
	meta_dir = make_dir();
	atexit(remove_dirs);
	dh_trace_machine_init(&m.machine, "v", "m", "f", 1, 1);
	if (dh_trace_meta_write(dir, &m, NULL) < 0)
		abort();
	dh_trace_machine_release(&m.machine);
}

static void put_file(const char *in, const char *name, const void *p, size_t n)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", in, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || dh_write_full(fd, p, n) < 0)
		abort();
	close(fd);
}

static void drop_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
}

static void read_meta(const uint8_t *data, size_t size, bool repair)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	struct dh_trace_meta m;
	struct dh_error err = DH_ERROR_INIT;

	dh_buf_add(&text, data, size);
	if (repair)
		dh_buf_addf(&text, ",\n  \"checksum\": \"%016lx\"\n}\n", XXH3_64bits(data, size));
	put_file(meta_dir, "meta.json", dh_buf_str(&text), text.len);
	if (dh_trace_meta_read(meta_dir, &m, &err) < 0)
		return;
	if (!m.cwd || !m.argv || !m.tool_version || !m.machine.cpu_features)
		abort();
	dh_trace_meta_release(&m);
}

/* Reads everything twice; what is read must be the same, and every byte must be there. */
static uint64_t read_all(struct dh_trace_reader *r, int *ret_end)
{
	struct dh_trace_event e, ahead;
	struct dh_error err = DH_ERROR_INIT;
	uint64_t sum = 0, next = 0, n = 0;

	while ((*ret_end = dh_trace_reader_next(r, &e, &err)) > 0) {
		if (n++ && e.seq != next)
			abort();
		next = e.seq + 1;
		if (e.seq % 3 == 0 && dh_trace_reader_peek(r, &ahead, NULL) > 0 &&
			ahead.seq != next)
			abort();
		sum = XXH3_64bits_withSeed(e.data, e.len, sum + e.kind + e.task);
	}
	if (*ret_end < 0 && !err.text[0])
		abort();
	return sum;
}

static void read_events(void)
{
	struct dh_trace_reader_stats stats;
	struct dh_trace_reader *r;
	uint64_t sum;
	int end, again;

	if (dh_trace_reader_open(dir, &r, NULL) < 0)
		return;
	dh_trace_reader_stats(r, &stats, NULL);
	sum = read_all(r, &end);
	dh_trace_reader_rewind(r, NULL);
	if (read_all(r, &again) != sum || end != again)
		abort();
	/* Complete, yet ending in a cut. */
	if (end == 0 && dh_trace_reader_complete(r) && dh_trace_reader_stats(r, &stats, NULL) < 0)
		abort();
	dh_trace_reader_free(r);
}

/* Gives each header in the bytes what it needs to get past the first checks. */
static uint64_t repair(uint8_t *p, size_t size, uint32_t segment, uint64_t seq)
{
	while (size >= DH_TRACE_BLOCK_SIZE) {
		struct dh_trace_block b = {.version = DH_TRACE_FORMAT,
			.type = p[6] % 3,
			.recording = RECORDING,
			.segment = segment,
			.first_seq = seq};
		size_t room = size - DH_TRACE_BLOCK_SIZE;

		memcpy(&b.count, p + 20, 4);
		memcpy(&b.raw_len, p + 32, 4);
		memcpy(&b.stored_len, p + 36, 4);
		if (b.stored_len > room)
			b.stored_len = (uint32_t)room;
		b.data_hash = XXH3_64bits(p + DH_TRACE_BLOCK_SIZE, b.stored_len);
		dh_trace_block_encode(&b, p);
		seq += b.count;
		p += DH_TRACE_BLOCK_SIZE + b.stored_len;
		size -= DH_TRACE_BLOCK_SIZE + b.stored_len;
	}
	return seq;
}

static void read_one(const uint8_t *data, size_t size)
{
	DH_FREE uint8_t *copy = dh_memdup(data, size);

	repair(copy, size, 0, 0);
	put_file(dir, "events.000000", copy, size);
	read_events();
}

static void read_two(const uint8_t *data, size_t size)
{
	DH_FREE uint8_t *copy = dh_memdup(data, size);
	uint64_t seq;
	size_t cut;

	if (size < 3)
		return;
	cut = (data[0] | (size_t)data[1] << 8) % (size - 2);
	seq = repair(copy + 2, cut, 0, 0);
	repair(copy + 2 + cut, size - 2 - cut, 1, seq);
	put_file(dir, "events.000000", copy + 2, cut);
	put_file(dir, "events.000001", copy + 2 + cut, size - 2 - cut);
	read_events();
	drop_file("events.000001");
}

static void read_plain(const uint8_t *data, size_t size)
{
	size_t bound = ZSTD_compressBound(size) + DH_TRACE_BLOCK_SIZE;
	DH_FREE uint8_t *block = dh_zalloc(bound);
	struct dh_trace_block b = {.version = DH_TRACE_FORMAT, .recording = RECORDING};
	size_t n;

	if (size < 2)
		return;
	b.count = (uint32_t)data[0] + 1;
	b.raw_len = (uint32_t)size - 1;
	n = ZSTD_compress(
		block + DH_TRACE_BLOCK_SIZE, bound - DH_TRACE_BLOCK_SIZE, data + 1, size - 1, 1);
	b.type = n < b.raw_len ? DH_TRACE_BLOCK_ZSTD : DH_TRACE_BLOCK_RAW;
	if (b.type == DH_TRACE_BLOCK_RAW) {
		n = b.raw_len;
		memcpy(block + DH_TRACE_BLOCK_SIZE, data + 1, n);
	}
	b.stored_len = (uint32_t)n;
	b.data_hash = XXH3_64bits(block + DH_TRACE_BLOCK_SIZE, n);
	dh_trace_block_encode(&b, block);
	put_file(dir, "events.000000", block, DH_TRACE_BLOCK_SIZE + n);
	read_events();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	prepare();
	switch (data[0] % N_KINDS) {
	case META:
		read_meta(data + 1, size - 1, true);
		break;
	case META_AS_IS:
		read_meta(data + 1, size - 1, false);
		break;
	case EVENTS:
		read_one(data + 1, size - 1);
		break;
	case EVENTS_AS_IS:
		put_file(dir, "events.000000", data + 1, size - 1);
		read_events();
		break;
	case EVENTS_PLAIN:
		read_plain(data + 1, size - 1);
		break;
	case SEGMENTS:
		read_two(data + 1, size - 1);
		break;
	}
	return 0;
}
