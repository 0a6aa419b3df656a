#include "fuzz/program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fd.h"
#include "base/paths.h"
#include "fuzz/entries.h"
#include "proc/spawn.h"

/* What the dynamic section and the symbols of a file say. */
struct traits {
	bool interpreter; /* asks for a dynamic loader */
	bool ours, gcc;   /* needs libdeadheat-sched.so, libtsan.so.N */
	bool clang;       /* defines __tsan_init itself */
};

static void read_needed(Elf *elf, GElf_Shdr *sh, Elf_Data *data, struct traits *ret)
{
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; i < n && i <= INT_MAX && gelf_getdyn(data, (int)i, &dyn); i++) {
		const char *name = dyn.d_tag == DT_NEEDED
					   ? elf_strptr(elf, sh->sh_link, dyn.d_un.d_val)
					   : NULL;

		if (dyn.d_tag == DT_NULL)
			return;
		if (name && strcmp(name, "libdeadheat-sched.so") == 0)
			ret->ours = true;
		if (name && strncmp(name, "libtsan.so.", 11) == 0)
			ret->gcc = true;
	}
}

static void read_symbols(Elf *elf, GElf_Shdr *sh, Elf_Data *data, struct traits *ret)
{
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < n && i <= INT_MAX && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = sym.st_shndx != SHN_UNDEF
					   ? elf_strptr(elf, sh->sh_link, sym.st_name)
					   : NULL;

		if (name && strcmp(name, "__tsan_init") == 0)
			ret->clang = true;
	}
}

static void read_elf(Elf *elf, struct traits *ret)
{
	Elf_Scn *scn = NULL;
	size_t n = 0;
	GElf_Phdr ph;
	GElf_Shdr sh;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &ph); i++)
		ret->interpreter |= ph.p_type == PT_INTERP;
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || !(data = elf_getdata(scn, NULL)))
			continue;
		if (sh.sh_type == SHT_DYNAMIC)
			read_needed(elf, &sh, data, ret);
		if (sh.sh_type == SHT_DYNSYM || sh.sh_type == SHT_SYMTAB)
			read_symbols(elf, &sh, data, ret);
	}
}

static enum dh_program_build build_of(const struct traits *t)
{
	if (t->ours)
		return DH_PROGRAM_OURS;
	if (t->gcc)
		return DH_PROGRAM_GCC;
	if (t->clang)
		return DH_PROGRAM_CLANG;
	return t->interpreter ? DH_PROGRAM_PLAIN : DH_PROGRAM_STATIC;
}

static int look_at_elf(int fd, struct dh_program *p, struct dh_error *err)
{
	struct traits t = {0};
	GElf_Ehdr eh;
	Elf *elf;
	int r = 0;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || !gelf_getehdr(elf, &eh))
		r = dh_error_set(err, ENOEXEC, "%s is a damaged program file", p->path);
	else if (eh.e_machine != EM_X86_64 || gelf_getclass(elf) != ELFCLASS64)
		r = dh_error_set(err, ENOEXEC, "%s is not an x86-64 program", p->path);
	else
		read_elf(elf, &t);
	elf_end(elf);
	if (r == 0)
		p->build = build_of(&t);
	return r;
}

static int look_at_file(struct dh_program *p, struct dh_error *err)
{
	DH_FD int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	unsigned char head[4] = {0};
	ssize_t n;

	/* One may be allowed to run a file that one may not read; then it shows when it runs. */
	p->build = DH_PROGRAM_SCRIPT;
	if (fd < 0)
		return 0;
	n = dh_read_full(fd, head, sizeof(head));
	if (n == 4 && memcmp(head, ELFMAG, 4) == 0)
		return look_at_elf(fd, p, err);
	if (n >= 2 && memcmp(head, "#!", 2) == 0)
		return 0;
	return dh_error_set(err, ENOEXEC, "%s is not a program", p->path);
}

static int find_runtime(struct dh_program *p, struct dh_error *err)
{
	int r = dh_runtime_path("sched", p->library, sizeof(p->library), err);
	const char *slash;

	if (r < 0)
		return r;
	slash = strrchr(p->library, '/');
	if ((size_t)snprintf(p->stand_in, sizeof(p->stand_in), "%.*s/stand-in",
		    (int)(slash - p->library), p->library) >= sizeof(p->stand_in))
		return dh_error_set(err, ENAMETOOLONG, "the path of the runtime is too long");
	return 0;
}

int dh_program_look(const char *file, struct dh_program *ret, struct dh_error *err)
{
	struct dh_program p = {0};
	char found[PATH_MAX];
	int r = dh_spawn_resolve(file, found, sizeof(found));

	if (r == -EACCES)
		return dh_error_set(err, EACCES, "cannot run '%s': it is not executable", file);
	if (r < 0)
		return dh_error_set(err, -r, "cannot run '%s': no such program", file);
	/* Absolute, so that it means the same in a store and in another folder. */
	if (!realpath(found, p.path))
		return dh_error_set(err, errno, "cannot run '%s': %s", file, strerror(errno));
	r = look_at_file(&p, err);
	if (r == 0)
		r = find_runtime(&p, err);
	if (r == 0)
		*ret = p;
	return r;
}

/* The loader would end the program at its first call of one that is not there. */
static int check_entries(const struct dh_program *p, struct dh_error *err)
{
	char name[256];

	if (!dh_entry_missing(p->path, p->library, name, sizeof(name)))
		return 0;
	return dh_error_set(err, ENOTSUP,
		"%s calls %s, which %s does not have: it was built by a newer compiler than "
		"deadheat knows; build it with gcc 12 or clang 14 to 19, or use a newer deadheat",
		p->path, name, p->library);
}

int dh_program_check(const struct dh_program *p, struct dh_error *err)
{
	switch (p->build) {
	case DH_PROGRAM_OURS:
	case DH_PROGRAM_GCC:
		return check_entries(p, err);
	case DH_PROGRAM_SCRIPT:
		return 0;
	case DH_PROGRAM_CLANG:
		return dh_error_set(err, ENOTSUP,
			"%s has clang's own thread sanitizer linked into it, which cannot be "
			"replaced; link it again with 'deadheat cc' (DEADHEAT_CC=clang)",
			p->path);
	case DH_PROGRAM_STATIC:
		return dh_error_set(err, ENOTSUP,
			"%s is linked statically: no runtime can be put in front of its libc; "
			"build it without -static, with 'deadheat cc' as the compiler",
			p->path);
	case DH_PROGRAM_PLAIN:
		break;
	}
	return dh_error_set(err, ENOTSUP,
		"%s was not built for fuzzing: its memory accesses cannot be seen; build it with "
		"'deadheat cc' in place of the compiler (CC=\"deadheat cc\" make), or with gcc "
		"-fsanitize=thread; or try --binary, which sees its synchronisation only",
		p->path);
}

int dh_program_check_binary(const struct dh_program *p, struct dh_error *err)
{
	if (p->build == DH_PROGRAM_PLAIN || p->build == DH_PROGRAM_SCRIPT)
		return 0;
	if (p->build == DH_PROGRAM_STATIC)
		return dh_program_check(p, err);
	return dh_error_set(err, ENOTSUP, "%s was built for fuzzing: leave --binary out", p->path);
}
