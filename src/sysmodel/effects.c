#include "sysmodel/effects.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "sysmodel/sysmodel.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452 /* newer than the headers of some systems */
#endif

#define AT_ANY(k, r, a, d, f, fa)                                                                  \
	{                                                                                          \
		.kind = DH_SYS_REF_##k, .role = DH_REF_##r, .arg = (a), .dir = (d), .follow = (f), \
		.follow_arg = (fa)                                                                 \
	}
#define PATH(a)          AT_ANY(PATH, PATH, a, DH_SYS_CWD, DH_SYS_FOLLOW, 0)
#define LINK(a)          AT_ANY(PATH, PATH, a, DH_SYS_CWD, DH_SYS_NOFOLLOW, 0)
#define LINK2(a)         AT_ANY(PATH, PATH2, a, DH_SYS_CWD, DH_SYS_NOFOLLOW, 0)
#define OPEN(a, f)       AT_ANY(PATH, PATH, a, DH_SYS_CWD, DH_SYS_FOLLOW_OPEN, f)
#define PATH_AT(d, a)    AT_ANY(PATH, PATH, a, d, DH_SYS_FOLLOW, 0)
#define LINK_AT(d, a)    AT_ANY(PATH, PATH, a, d, DH_SYS_NOFOLLOW, 0)
#define LINK2_AT(d, a)   AT_ANY(PATH, PATH2, a, d, DH_SYS_NOFOLLOW, 0)
#define FLAG_AT(d, a, f) AT_ANY(PATH, PATH, a, d, DH_SYS_FOLLOW_UNLESS, f)
#define IF_AT(d, a, f)   AT_ANY(PATH, PATH, a, d, DH_SYS_FOLLOW_IF, f)
#define OPEN_AT(d, a, f) AT_ANY(PATH, PATH, a, d, DH_SYS_FOLLOW_OPEN, f)
#define FILE(a)          AT_ANY(FD, FD, a, 0, 0, 0)
#define FILE2(a)         AT_ANY(FD, FD2, a, 0, 0, 0)
#define NEW              AT_ANY(NEW, NEW, 0, 0, 0, 0)
#define PAIR(a)          AT_ANY(PAIR, NEW, a, 0, 0, 0)
#define ADDRESS(a)       AT_ANY(ADDRESS, PATH, a, 0, 0, 0)

#define EFFECT(o, p, r, c)                                                                         \
	{                                                                                          \
		.op = DH_SYS_##o, .part = DH_SYS_PART_##p, .role = DH_REF_##r, .on = DH_SYS_ON_##c \
	}
#define LOAD(p, r)        EFFECT(LOAD, p, r, ANY)
#define STORE(p, r)       EFFECT(STORE, p, r, ANY)
#define MODIFY(p, r)      EFFECT(MODIFY, p, r, ANY)
#define STORE_ON(c, p, r) EFFECT(STORE, p, r, c)

#define REFS(...)         .refs = {__VA_ARGS__}
#define DOES(...)         .effects = {__VA_ARGS__}
#define BYTES(n, at)      .count = (n), .offset = (at)
#define FLAGS(f)          .flags = (f)
#define CALL(name, ...)   [SYS_##name] = {.known = true, __VA_ARGS__},
/* Nothing that another process could see. */
#define PRIVATE(name) [SYS_##name] = {.known = true},
#define SILENT(name)  [SYS_##name] = {.known = true, .silent = true},

#define EXCL          DH_SYS_EXCLUSIVE
#define WAKES         DH_SYS_WAKES
#define MOVES         DH_SYS_AT_OFFSET

static const struct dh_sys_effects rows[DH_SYS_MAX_NR + 1] = {
#include "sysmodel/effects.inc"
};

const struct dh_sys_effects *dh_sysmodel_effects(int64_t nr)
{
	static const struct dh_sys_effects none;

	return nr < 0 || nr > DH_SYS_MAX_NR ? &none : &rows[nr];
}

bool dh_sysmodel_silent(const struct dh_sys_call *c)
{
	return dh_sysmodel_effects(c->nr)->silent || (c->nr == SYS_mmap && (int)c->arg[4] < 0);
}

bool dh_sysmodel_follows(const struct dh_sys_ref *ref, const uint64_t arg[6])
{
	uint64_t flags = arg[ref->follow_arg];

	switch ((enum dh_sys_follow)ref->follow) {
	case DH_SYS_FOLLOW:
		return true;
	case DH_SYS_NOFOLLOW:
		return false;
	case DH_SYS_FOLLOW_UNLESS:
		return !(flags & AT_SYMLINK_NOFOLLOW);
	case DH_SYS_FOLLOW_IF:
		return flags & AT_SYMLINK_FOLLOW;
	case DH_SYS_FOLLOW_OPEN:
		return !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
	}
	return true;
}

unsigned dh_sysmodel_effects_count(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < DH_ARRAY_SIZE(rows); i++)
		n += rows[i].known;
	return n;
}
