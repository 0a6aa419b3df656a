#include "fuzz/entries.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/fd.h"

#define PREFIX "__tsan_"

/* The dynamic symbols of a file. */
struct dynamic {
	Elf *elf;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t n;
};

static bool find_symbols(Elf *elf, struct dynamic *ret)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		struct dynamic d = {.elf = elf};

		if (!gelf_getshdr(scn, &d.sh) || d.sh.sh_type != SHT_DYNSYM || !d.sh.sh_entsize)
			continue;
		d.data = elf_getdata(scn, NULL);
		d.n = d.sh.sh_size / d.sh.sh_entsize;
		if (!d.data || d.n > INT_MAX)
			continue;
		*ret = d;
		return true;
	}
	return false;
}

static const char *name_of(const struct dynamic *d, size_t i, GElf_Sym *ret)
{
	if (!gelf_getsym(d->data, (int)i, ret))
		return NULL;
	return elf_strptr(d->elf, d->sh.sh_link, ret->st_name);
}

static bool defines(const struct dynamic *d, const char *wanted)
{
	for (size_t i = 0; i < d->n; i++) {
		GElf_Sym sym;
		const char *name = name_of(d, i, &sym);

		if (name && sym.st_shndx != SHN_UNDEF && strcmp(name, wanted) == 0)
			return true;
	}
	return false;
}

/* What is only called when it is there need not be. */
static const char *missing(const struct dynamic *program, const struct dynamic *runtime)
{
	for (size_t i = 0; i < program->n; i++) {
		GElf_Sym sym;
		const char *name = name_of(program, i, &sym);

		if (name && sym.st_shndx == SHN_UNDEF && GELF_ST_BIND(sym.st_info) != STB_WEAK &&
			strncmp(name, PREFIX, strlen(PREFIX)) == 0 && !defines(runtime, name))
			return name;
	}
	return NULL;
}

int dh_entry_missing(const char *program, const char *runtime, char *ret, size_t size)
{
	DH_FD int a = open(program, O_RDONLY | O_CLOEXEC);
	DH_FD int b = open(runtime, O_RDONLY | O_CLOEXEC);
	struct dynamic p, r;
	const char *name = NULL;
	Elf *ep, *er;

	if (a < 0 || b < 0)
		return 0;
	elf_version(EV_CURRENT);
	ep = elf_begin(a, ELF_C_READ, NULL);
	er = elf_begin(b, ELF_C_READ, NULL);
	if (ep && er && find_symbols(ep, &p) && find_symbols(er, &r))
		name = missing(&p, &r);
	if (name)
		snprintf(ret, size, "%s", name);
	elf_end(ep);
	elf_end(er);
	return name != NULL;
}
