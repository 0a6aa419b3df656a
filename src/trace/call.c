#include "trace/call.h"

#include "trace/coding.h"

static void put_ref(struct dh_buf *out, const struct dh_ev_ref *r)
{
	put(out, r->role);
	put_signed(out, r->fd);
	put(out, r->mode);
	put(out, r->dev);
	put(out, r->ino);
	put(out, r->birth_ns);
	put(out, r->rdev);
	put(out, r->size);
	put_string(out, r->path);
	put_string(out, r->given);
}

static void get_ref(struct in *i, struct dh_ev_ref *ret)
{
	uint64_t role = get(i);

	if (role >= DH_REF_ROLES)
		i->bad = true;
	else
		ret->role = (enum dh_ref_role)role;
	ret->fd = (int)get_signed(i);
	ret->mode = (uint32_t)get(i);
	ret->dev = get(i);
	ret->ino = get(i);
	ret->birth_ns = get(i);
	ret->rdev = get(i);
	ret->size = get(i);
	ret->path = get_string(i);
	ret->given = get_string(i);
}

void dh_ev_put_call(struct dh_buf *out, const struct dh_ev_call *e)
{
	put_signed(out, e->nr);
	for (int i = 0; i < 6; i++)
		put(out, e->arg[i]);
	put_signed(out, e->result);
	put(out, e->entered);
	put(out, e->entered_nth);
	put(out, e->left);
	put(out, e->left_nth);
	put(out, e->value);
	put_string(out, e->text);
	put(out, e->n_refs);
	for (uint32_t i = 0; i < e->n_refs; i++)
		put_ref(out, &e->refs[i]);
}

int dh_ev_get_call(const struct dh_trace_event *ev, struct dh_ev_call *ret)
{
	struct in i = open_event(ev);

	*ret = (struct dh_ev_call){0};
	ret->nr = get_signed(&i);
	for (int k = 0; k < 6; k++)
		ret->arg[k] = get(&i);
	ret->result = get_signed(&i);
	ret->entered = get(&i);
	ret->entered_nth = get(&i);
	ret->left = get(&i);
	ret->left_nth = get(&i);
	ret->value = get(&i);
	ret->text = get_string(&i);
	ret->n_refs = (uint32_t)get(&i);
	if (ret->n_refs > DH_EV_CALL_REFS)
		return -EBADMSG;
	for (uint32_t k = 0; k < ret->n_refs; k++)
		get_ref(&i, &ret->refs[k]);
	return done(&i);
}

const struct dh_ev_ref *dh_ev_call_ref(const struct dh_ev_call *c, enum dh_ref_role role)
{
	for (uint32_t i = 0; i < c->n_refs; i++) {
		if (c->refs[i].role == role)
			return &c->refs[i];
	}
	return NULL;
}
