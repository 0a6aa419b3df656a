#include "proc/memhash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "proc/tracee.h"
#include "wire/landing.h"

#define PAGE        4096ull
#define CHUNK_PAGES 128u
#define PRESENT     (1ull << 63)
#define SWAPPED     (1ull << 62)

struct walk {
	struct dh_tracee *t;
	int pagemap;
	uint8_t *data; /* CHUNK_PAGES pages */
	uint64_t sum;
	const struct dh_memhash_watch *watch;
};

static bool is_zero(const uint64_t *page)
{
	for (size_t i = 0; i < PAGE / 8; i++) {
		if (page[i])
			return false;
	}
	return true;
}

uint64_t dh_memhash_page(uint64_t addr, const uint8_t *data)
{
	return XXH3_64bits_withSeed(data, PAGE, addr);
}

static uint64_t hash_pages(
	const struct walk *w, const uint8_t *data, uint64_t addr, uint64_t n_pages)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n_pages; i++, addr += PAGE) {
		const uint8_t *page = data + i * PAGE;
		uint64_t hash;

		if (is_zero((const uint64_t *)page))
			continue;
		hash = dh_memhash_page(addr, page);
		if (w->watch)
			w->watch->page(w->watch->cookie, addr, hash, page);
		sum += hash;
	}
	return sum;
}

static bool counts(const struct dh_vma *v)
{
	if (!(v->prot & PROT_WRITE) || (v->start >= DH_LANDING_START && v->start < DH_LANDING_END))
		return false;
	return strncmp(v->path, "/dev/", 5) != 0 || strncmp(v->path, "/dev/zero", 9) == 0 ||
	       strncmp(v->path, "/dev/shm/", 9) == 0;
}

static void hash_run(struct walk *w, uint64_t addr, uint64_t n_pages)
{
	if (n_pages && dh_tracee_read(w->t, addr, w->data, n_pages * PAGE) == 0)
		w->sum += hash_pages(w, w->data, addr, n_pages);
}

/* Pages of private files count even when they are not present: reading brings them in. */
static void hash_vma(struct walk *w, const struct dh_vma *v)
{
	uint64_t entries[CHUNK_PAGES];

	for (uint64_t addr = v->start; addr < v->end;) {
		uint64_t n = DH_MIN((v->end - addr) / PAGE, (uint64_t)CHUNK_PAGES), run = 0;
		ssize_t got = -1;

		if (!v->inode && w->pagemap >= 0)
			got = pread(w->pagemap, entries, n * 8, (off_t)(addr / PAGE * 8));
		if (got != (ssize_t)(n * 8)) {
			hash_run(w, addr, n);
			addr += n * PAGE;
			continue;
		}
		for (uint64_t i = 0; i <= n; i++) {
			if (i < n && (entries[i] & (PRESENT | SWAPPED)))
				continue;
			hash_run(w, addr + run * PAGE, i - run);
			run = i + 1;
		}
		addr += n * PAGE;
	}
}

int dh_memhash(struct dh_tracee *t, struct dh_maps *maps, const struct dh_memhash_skip *skip,
	const struct dh_memhash_watch *watch, uint64_t *ret)
{
	char path[32];
	int r = dh_maps_read(maps, t->tid);

	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", t->tid);
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct walk w = {
		.t = t, .pagemap = fd, .data = dh_alloc(CHUNK_PAGES * PAGE), .watch = watch};

	for (size_t i = 0; i < maps->n; i++) {
		const struct dh_vma *v = &maps->vmas[i];

		/* What is skipped was mapped by itself, so it is a mapping of its own: it never
		 * merges with the program's, which have other protections or gaps around them. */
		if (counts(v) && !(skip && v->start >= skip->start && v->end <= skip->end))
			hash_vma(&w, v);
	}
	free(w.data);
	*ret = w.sum;
	return 0;
}
