/* Calls in words, and what they are in every execution. */
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/buf.h"
#include "explore/history.h"
#include "sysmodel/effects.h"
#include "sysmodel/sysmodel.h"

/* Process ids differ between executions where nobody makes them equal. */
static void add_stable(struct dh_buf *out, const char *path)
{
	bool proc = strncmp(path, "/proc/", 6) == 0 || strncmp(path, "pipe:", 5) == 0 ||
		    strncmp(path, "socket:", 7) == 0;

	for (; *path; path++) {
		if (!proc || !isdigit((unsigned char)*path))
			dh_buf_addc(out, *path);
	}
	dh_buf_addc(out, '\n');
}

uint64_t dh_hist_key(const struct dh_ev_call *c)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;

	dh_buf_addf(&out, "%lld\n", (long long)c->nr);
	for (uint32_t i = 0; i < c->n_refs; i++) {
		const struct dh_ev_ref *ref = &c->refs[i];

		/* What the call makes is not known at its entry. */
		if (ref->role == DH_REF_NEW || ref->role == DH_REF_NEW2)
			continue;
		dh_buf_addf(&out, "%d ", ref->role);
		add_stable(&out, ref->path);
	}
	return XXH3_64bits(out.data, out.len);
}

/* Which of the images of which process the call ran in; false when that is not known. */
static bool find_image(const struct dh_history *h, uint32_t call,
	const struct dh_hist_process **ret, uint32_t *ret_i)
{
	uint32_t process = h->tasks[h->calls[call].task].process;

	while (process != DH_NO_TASK) {
		const struct dh_hist_process *p = &h->processes[process];

		for (uint32_t i = p->n_images; i-- > 0;) {
			if (p->images[i].from > call)
				continue;
			*ret = p;
			*ret_i = i;
			return true;
		}
		process = p->parent; /* a child that has executed nothing is what its parent was */
	}
	return false;
}

const char *dh_history_command(const struct dh_history *h, uint32_t call)
{
	const struct dh_hist_process *p;
	uint32_t i;

	return find_image(h, call, &p, &i) ? p->images[i].command : "";
}

const char *dh_history_program(const struct dh_history *h, uint32_t call)
{
	const struct dh_hist_process *p;
	uint32_t i;

	return find_image(h, call, &p, &i) ? p->images[i].path : NULL;
}

static const char *target_name(const struct dh_ev_ref *ref)
{
	if (ref->path[0])
		return ref->path;
	return S_ISFIFO(ref->mode) ? "a pipe" : S_ISSOCK(ref->mode) ? "a socket" : "a descriptor";
}

void dh_history_describe(const struct dh_history *h, uint32_t call, struct dh_buf *out)
{
	const struct dh_ev_call *c = h->calls[call].ev;
	const struct dh_sys_desc *d = dh_sysmodel_find(c->nr);
	const char *error =
		c->result < 0 && c->result > -4096 ? dh_sysmodel_errno_name((int)-c->result) : NULL;
	bool first = true;

	dh_buf_adds(out, c->nr < 0 ? "end by a signal" : d ? d->name : "unknown call");
	for (uint32_t i = 0; i < c->n_refs; i++) {
		if (c->refs[i].role == DH_REF_NEW || c->refs[i].role == DH_REF_NEW2)
			continue;
		dh_buf_addf(out, "%s%s", first ? " " : ", ", target_name(&c->refs[i]));
		first = false;
	}
	if (error)
		dh_buf_addf(out, " (%s)", error);
}
