#include "proc/maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fd.h"

#define MAPS_MAX   ((size_t)64 * 1024 * 1024)
#define PAGE       4096ull
#define USER_END   0x7ffffffff000ull
#define USER_START 0x10000ull

void dh_maps_release(struct dh_maps *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->vmas[i].path);
	free(m->vmas);
	*m = DH_MAPS_INIT;
}

static bool parse_line(const char *line, struct dh_vma *ret)
{
	char perm[5];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n",
		    &ret->start, &ret->end, perm, &ret->offset, &ret->dev_major, &ret->dev_minor,
		    &ret->inode, &path) < 7)
		return false;
	ret->prot = (perm[0] == 'r' ? PROT_READ : 0) | (perm[1] == 'w' ? PROT_WRITE : 0) |
		    (perm[2] == 'x' ? PROT_EXEC : 0);
	ret->shared = perm[3] == 's';
	ret->path = dh_strdup(path ? line + path : "");
	return true;
}

int dh_maps_read(struct dh_maps *m, pid_t pid)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[32], *line, *next;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	r = dh_read_file(path, MAPS_MAX, &text, NULL);
	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	for (size_t i = 0; i < m->n; i++)
		free(m->vmas[i].path);
	m->n = 0;
	for (line = text.data; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		DH_GROW(m->vmas, m->n, m->cap);
		if (parse_line(line, &m->vmas[m->n]))
			m->n++;
	}
	return 0;
}

const struct dh_vma *dh_maps_find(const struct dh_maps *m, uint64_t addr)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (addr < m->vmas[mid].start)
			hi = mid;
		else if (addr >= m->vmas[mid].end)
			lo = mid + 1;
		else
			return &m->vmas[mid];
	}
	return NULL;
}

static bool try_gap(
	uint64_t lo, uint64_t hi, uint64_t addr, uint64_t len, uint64_t distance, uint64_t *best)
{
	uint64_t at;

	/* One page of air on both sides: a stack that grows must not meet us. */
	lo = DH_MAX(lo + PAGE, USER_START);
	hi = DH_MIN(hi, USER_END) - PAGE;
	if (hi <= lo || hi - lo < len)
		return false;
	at = addr > hi ? hi - len : lo;
	if ((at > addr ? at + len - addr : addr - at) > distance)
		return false;
	if (*best &&
		(at > addr ? at - addr : addr - at) >= (*best > addr ? *best - addr : addr - *best))
		return false;
	*best = at;
	return true;
}

uint64_t dh_maps_find_free(const struct dh_maps *m, uint64_t addr, uint64_t len, uint64_t distance)
{
	uint64_t best = 0, last = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->vmas[i].start > USER_END)
			break;
		try_gap(last, m->vmas[i].start, addr, len, distance, &best);
		last = m->vmas[i].end;
	}
	try_gap(last, USER_END, addr, len, distance, &best);
	return best;
}
