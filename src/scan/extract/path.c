#include "scan/extract/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

/* Appends the part, or takes the last one back for "..". */
static void add_part(struct dh_buf *out, const char *part, size_t n)
{
	const char *slash;

	if (n == 0 || (n == 1 && part[0] == '.'))
		return;
	if (n == 2 && part[0] == '.' && part[1] == '.') {
		slash = out->len ? strrchr(dh_buf_str(out), '/') : NULL;
		if (slash)
			out->len = (size_t)(slash - out->data);
		if (out->data)
			out->data[out->len] = 0;
		return;
	}
	dh_buf_addc(out, '/');
	dh_buf_add(out, part, n);
}

static void add_all(struct dh_buf *out, const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		add_part(out, path, n);
		path += n + (path[n] == '/');
	}
}

char *dh_scan_path(const char *dir, const char *name, const char *root)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	size_t n = root ? strlen(root) : 0;
	const char *all;

	if (name[0] != '/' && dir[0] != '/')
		return dir[0] ? dh_asprintf("%s/%s", dir, name) : dh_strdup(name);
	if (name[0] != '/')
		add_all(&out, dir);
	add_all(&out, name);
	all = dh_buf_str(&out);
	if (n > 1 && strncmp(all, root, n) == 0 && all[n] == '/')
		return dh_strdup(all + n + 1);
	return dh_strdup(all[0] ? all : "/");
}
