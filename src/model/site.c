#include "model/site.h"

#include <string.h>

#include "base/arena.h"
#include "model/names.h"

static const char *const access_names[] = {"none", "read", "write", "update", NULL};

const char *dh_access_kind_name(enum dh_access_kind kind)
{
	return access_names[kind];
}

int dh_access_kind_parse(const char *name)
{
	return dh_names_find(access_names, name);
}

static const char *copy(struct dh_arena *a, const char *s)
{
	return s ? dh_arena_strdup(a, s) : NULL;
}

void dh_frame_copy(struct dh_arena *a, struct dh_frame *ret, const struct dh_frame *src)
{
	*ret = *src;
	ret->function = copy(a, src->function);
	ret->file = copy(a, src->file);
	ret->module = copy(a, src->module);
	ret->build_id = copy(a, src->build_id);
}

void dh_stack_copy(struct dh_arena *a, struct dh_stack *ret, const struct dh_stack *src)
{
	struct dh_stack s = {.n = src->n};

	if (s.n)
		s.frames = dh_arena_alloc(a, s.n * sizeof(*s.frames));
	for (size_t i = 0; i < s.n; i++)
		dh_frame_copy(a, &s.frames[i], &src->frames[i]);
	*ret = s;
}

const char *dh_path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
