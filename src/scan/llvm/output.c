#include "scan/llvm/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "scan/extract/path.h"
#include "scan/ir/summary.h"
#include "scan/llvm/compile.h"

static void put_part(struct dh_buf *out, const void *p, uint64_t n)
{
	dh_buf_add(out, &n, sizeof(n));
	dh_buf_add(out, p, n);
}

static void end_name(struct dh_buf *word, const char *dir, struct dh_buf *names)
{
	DH_FREE char *path = NULL;

	if (!word->len)
		return;
	path = dh_scan_path(dir, dh_buf_str(word), NULL);
	dh_buf_add(names, path, strlen(path) + 1);
	dh_buf_clear(word);
}

/* "out.o: a.c dir/b\ c.h \" and so on: the names, absolute, each ended by a null byte. */
static void read_rule(const char *rule, const char *dir, struct dh_buf *names)
{
	const char *s = strstr(rule, ": ");
	DH_BUF struct dh_buf word = DH_BUF_INIT;

	for (s = s ? s + 1 : ""; *s; s++) {
		if (s[0] == '\\' && s[1] == '\n')
			end_name(&word, dir, names);
		else if (s[0] == '\\' && (s[1] == ' ' || s[1] == '#'))
			dh_buf_addc(&word, *++s);
		else if (s[0] == '$' && s[1] == '$')
			dh_buf_addc(&word, *++s);
		else if (*s == ' ' || *s == '\n')
			end_name(&word, dir, names);
		else
			dh_buf_addc(&word, *s);
	}
	end_name(&word, dir, names);
}

uint64_t dh_extract_lines(const char *path)
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	uint64_t n = 0;

	if (dh_read_file(path, DH_SCAN_MAX_BITCODE, &text, NULL) < 0)
		return 0;
	for (size_t i = 0; i < text.len; i++)
		n += text.data[i] == '\n';
	return n;
}

/* The unit with its own functions, then each function that other units may share. */
static void write_summaries(struct dh_scan_program *p, struct dh_buf *out)
{
	uint32_t *own = dh_new_n(uint32_t, p->n_functions);
	DH_BUF struct dh_buf one = DH_BUF_INIT;
	size_t n = 0;

	for (uint32_t i = 1; i < p->n_functions; i++) {
		if (!(p->functions[i]->flags & DH_SCAN_FN_SHARED))
			own[n++] = i;
	}
	dh_scan_summary_write(p, own, n, true, &one);
	put_part(out, dh_buf_str(&one), one.len);
	for (uint32_t i = 1; i < p->n_functions; i++) {
		if (!(p->functions[i]->flags & DH_SCAN_FN_SHARED))
			continue;
		dh_buf_clear(&one);
		dh_scan_summary_write(p, &i, 1, false, &one);
		put_part(out, dh_buf_str(&one), one.len);
	}
	free(own);
}

/* For the other process, which reads it when it is told that it is there, and then removes it:
 * there is no need to wait for the disk. */
static int write_file(const char *path, const struct dh_buf *out, struct dh_error *err)
{
	DH_FD int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int r = fd < 0 ? -errno : dh_write_full(fd, out->data, out->len);

	return r < 0 ? dh_error_set(err, -r, "%s: %s", path, strerror(-r)) : 0;
}

int dh_extract_output(struct dh_scan_program *p, const char *rule, const char *dir,
	const char *path, struct dh_error *err)
{
	DH_BUF struct dh_buf names = DH_BUF_INIT, out = DH_BUF_INIT;

	read_rule(rule, dir, &names);
	put_part(&out, dh_buf_str(&names), names.len);
	write_summaries(p, &out);
	return write_file(path, &out, err);
}

void dh_extract_rejection(const char *rule, const char *dir, const char *path)
{
	DH_BUF struct dh_buf names = DH_BUF_INIT, out = DH_BUF_INIT;

	read_rule(rule, dir, &names);
	put_part(&out, dh_buf_str(&names), names.len);
	write_file(path, &out, NULL);
}
