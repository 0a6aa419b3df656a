#include "sym/image.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#define PAGE         4096u
#define MAX_SECTIONS 65536u

static int read_at(int fd, void *p, size_t n, uint64_t offset)
{
	ssize_t r = pread(fd, p, n, (off_t)offset);

	if (r < 0)
		return -errno;
	return (size_t)r == n ? 0 : -ENOEXEC;
}

static bool inside(uint64_t offset, uint64_t size, uint64_t file_size)
{
	return offset <= file_size && size <= file_size - offset;
}

static bool is_sound_header(const Elf64_Ehdr *h, uint64_t file_size)
{
	return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 && h->e_ident[EI_CLASS] == ELFCLASS64 &&
	       h->e_ident[EI_DATA] == ELFDATA2LSB &&
	       (h->e_type == ET_EXEC || h->e_type == ET_DYN) &&
	       h->e_phentsize == sizeof(Elf64_Phdr) && h->e_phnum != PN_XNUM &&
	       inside(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr), file_size);
}

static int add_segment(struct dh_image *i, const Elf64_Phdr *p, uint64_t file_size)
{
	uint64_t align = p->p_align ? p->p_align : 1;

	if (!inside(p->p_offset, p->p_filesz, file_size) || p->p_memsz < p->p_filesz ||
		p->p_vaddr + p->p_memsz < p->p_vaddr || (align & (align - 1)) ||
		i->n_segments == DH_IMAGE_MAX_SEGMENTS)
		return -ENOEXEC;
	if (!i->n_segments) {
		i->first = p->p_vaddr & -align;
		i->low = p->p_vaddr;
	}
	i->low = DH_MIN(i->low, p->p_vaddr);
	i->high = DH_MAX(i->high, p->p_vaddr + p->p_memsz);
	i->segment[i->n_segments++] = (struct dh_image_segment){.offset = p->p_offset,
		.vaddr = p->p_vaddr,
		.file_size = p->p_filesz,
		.mem_size = p->p_memsz};
	return 0;
}

static int read_segments(int fd, const Elf64_Ehdr *h, uint64_t file_size, struct dh_image *i)
{
	Elf64_Phdr p;
	int r;

	for (uint16_t k = 0; k < h->e_phnum; k++) {
		r = read_at(fd, &p, sizeof(p), h->e_phoff + k * sizeof(p));
		if (r < 0)
			return r;
		if (p.p_type == PT_LOAD) {
			r = add_segment(i, &p, file_size);
			if (r < 0)
				return r;
		} else if (p.p_type != PT_NULL && p.p_type != PT_GNU_STACK &&
			   !inside(p.p_offset, p.p_filesz, file_size)) {
			return -ENOEXEC;
		}
	}
	return i->n_segments ? 0 : -ENOEXEC;
}

static bool is_sound_section(const Elf64_Shdr *s, uint64_t file_size, uint64_t n)
{
	if (s->sh_type == SHT_NULL)
		return true;
	return s->sh_link < n &&
	       (s->sh_type == SHT_NOBITS || inside(s->sh_offset, s->sh_size, file_size));
}

static int check_sections(int fd, const Elf64_Ehdr *h, uint64_t file_size)
{
	DH_FREE Elf64_Shdr *s = NULL;
	uint64_t n = h->e_shnum;
	int r;

	if (!h->e_shoff)
		return 0;
	if (h->e_shentsize != sizeof(*s) || !n || n > MAX_SECTIONS ||
		!inside(h->e_shoff, n * sizeof(*s), file_size) || h->e_shstrndx >= n)
		return -ENOEXEC;
	s = dh_new_n(Elf64_Shdr, n);
	r = read_at(fd, s, n * sizeof(*s), h->e_shoff);
	for (uint64_t k = 0; r == 0 && k < n; k++) {
		if (!is_sound_section(&s[k], file_size, n))
			r = -ENOEXEC;
	}
	return r;
}

int dh_image_read(int fd, struct dh_image *ret)
{
	struct dh_image i = {0};
	struct stat st;
	Elf64_Ehdr h;
	uint64_t size;
	int r;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	size = (uint64_t)st.st_size;
	r = read_at(fd, &h, sizeof(h), 0);
	if (r == 0 && !is_sound_header(&h, size))
		r = -ENOEXEC;
	if (r == 0)
		r = read_segments(fd, &h, size, &i);
	if (r == 0)
		r = check_sections(fd, &h, size);
	if (r < 0)
		return r;
	i.fixed = h.e_type == ET_EXEC;
	*ret = i;
	return 0;
}

/* The kernel maps whole pages, so the offset may lie before the segment's own; two segments may
 * share a page of the file. */
static bool bias_by(const struct dh_image_segment *s, uint64_t offset, uint64_t addr, uint64_t *ret)
{
	if (offset < (s->offset & -(uint64_t)PAGE) || offset >= s->offset + s->file_size)
		return false;
	*ret = addr - (s->vaddr - s->offset + offset);
	return true;
}

int dh_image_bias(const struct dh_image *i, uint64_t offset, uint64_t addr, uint64_t *ret)
{
	for (int k = 0; k < i->n_segments; k++) {
		if (bias_by(&i->segment[k], offset, addr, ret))
			return 0;
	}
	return -ENOENT;
}

bool dh_image_fits(const struct dh_image *i, uint64_t offset, uint64_t addr, uint64_t bias)
{
	uint64_t other;

	for (int k = 0; k < i->n_segments; k++) {
		if (bias_by(&i->segment[k], offset, addr, &other) && other == bias)
			return true;
	}
	return false;
}
