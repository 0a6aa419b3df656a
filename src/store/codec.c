/* The bytes of a message: for each field a head byte (number << 3 | form) and its value; then a
 * zero byte.  Fields with their zero value are left out.  Strings that occurred before in the same
 * body are written as a reference, since stacks repeat files and modules over and over. */
#include "store/codec.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "model/finding.h"

enum form { FORM_VARINT, FORM_STRING, FORM_REF, FORM_MESSAGE, FORM_ARRAY, FORM_FIXED };

enum type {
	TYPE_STRING,
	TYPE_BOOL,
	TYPE_U32,
	TYPE_U64,
	TYPE_I32,
	TYPE_ENUM,
	TYPE_F64,
	TYPE_MESSAGE,
	TYPE_ARRAY
};

struct message;

struct field {
	uint8_t number; /* 1 to 31; never reused for another meaning */
	enum type type;
	size_t at;
	size_t count_at;           /* TYPE_ARRAY: where the number of elements is */
	const struct message *sub; /* TYPE_MESSAGE, TYPE_ARRAY */
	uint32_t limit;            /* TYPE_ENUM: first value that is not valid */
};

struct message {
	size_t size;
	const struct field *fields;
	size_t n;
};

#define MESSAGE(type, list)                                                                        \
	{                                                                                          \
		sizeof(type), list, DH_ARRAY_SIZE(list)                                            \
	}
#define F(no, kind, type, name)                                                                    \
	{                                                                                          \
		no, kind, offsetof(type, name), 0, NULL, 0                                         \
	}
#define ENUM(no, type, name, max)                                                                  \
	{                                                                                          \
		no, TYPE_ENUM, offsetof(type, name), 0, NULL, max                                  \
	}
#define SUB(no, type, name, m)                                                                     \
	{                                                                                          \
		no, TYPE_MESSAGE, offsetof(type, name), 0, &(m), 0                                 \
	}
#define ARRAY(no, type, name, cnt, m)                                                              \
	{                                                                                          \
		no, TYPE_ARRAY, offsetof(type, name), offsetof(type, cnt), &(m), 0                 \
	}

static const struct field string_fields[] = {{1, TYPE_STRING, 0, 0, NULL, 0}};
static const struct message string_message = MESSAGE(const char *, string_fields);

static const struct field frame_fields[] = {
	F(1, TYPE_STRING, struct dh_frame, function),
	F(2, TYPE_STRING, struct dh_frame, file),
	F(3, TYPE_U32, struct dh_frame, line),
	F(4, TYPE_U32, struct dh_frame, column),
	F(5, TYPE_STRING, struct dh_frame, module),
	F(6, TYPE_STRING, struct dh_frame, build_id),
	F(7, TYPE_U64, struct dh_frame, offset),
	F(8, TYPE_BOOL, struct dh_frame, inlined),
};
static const struct message frame_message = MESSAGE(struct dh_frame, frame_fields);

static const struct field stack_fields[] = {ARRAY(1, struct dh_stack, frames, n, frame_message)};
static const struct message stack_message = MESSAGE(struct dh_stack, stack_fields);

static const struct field access_fields[] = {
	ENUM(1, struct dh_access, kind, DH_ACCESS_UPDATE + 1),
	F(2, TYPE_U32, struct dh_access, size),
	F(3, TYPE_BOOL, struct dh_access, atomic),
	F(4, TYPE_BOOL, struct dh_access, has_values),
	F(5, TYPE_U64, struct dh_access, before),
	F(6, TYPE_U64, struct dh_access, after),
};
static const struct message access_message = MESSAGE(struct dh_access, access_fields);

static const struct field site_fields[] = {
	F(1, TYPE_STRING, struct dh_site, role),
	SUB(2, struct dh_site, at, frame_message),
	F(3, TYPE_STRING, struct dh_site, text),
	SUB(4, struct dh_site, access, access_message),
	F(5, TYPE_STRING, struct dh_site, who),
	ARRAY(6, struct dh_site, locks, n_locks, string_message),
	SUB(7, struct dh_site, stack, stack_message),
	SUB(8, struct dh_site, created, stack_message),
	F(9, TYPE_STRING, struct dh_site, order),
};
static const struct message site_message = MESSAGE(struct dh_site, site_fields);

static const struct field step_fields[] = {
	F(1, TYPE_STRING, struct dh_step, lane),
	ENUM(2, struct dh_step, kind, DH_STEP_COUNT),
	F(3, TYPE_STRING, struct dh_step, label),
	F(4, TYPE_STRING, struct dh_step, file),
	F(5, TYPE_U32, struct dh_step, line),
	F(6, TYPE_I32, struct dh_step, site),
};
static const struct message step_message = MESSAGE(struct dh_step, step_fields);

static const struct field failure_fields[] = {
	F(1, TYPE_STRING, struct dh_failure, what),
	F(2, TYPE_STRING, struct dh_failure, detail),
	F(3, TYPE_I32, struct dh_failure, status),
};
static const struct message failure_message = MESSAGE(struct dh_failure, failure_fields);

static const struct field finding_fields[] = {
	F(1, TYPE_STRING, struct dh_finding, title),
	F(2, TYPE_STRING, struct dh_finding, variable),
	F(3, TYPE_STRING, struct dh_finding, object),
	SUB(4, struct dh_finding, allocated, stack_message),
	F(5, TYPE_F64, struct dh_finding, score),
	ARRAY(6, struct dh_finding, reasons, n_reasons, string_message),
	ARRAY(7, struct dh_finding, sites, n_sites, site_message),
	ARRAY(8, struct dh_finding, steps, n_steps, step_message),
	SUB(9, struct dh_finding, failure, failure_message),
	F(10, TYPE_STRING, struct dh_finding, schedule),
	F(11, TYPE_STRING, struct dh_finding, mend),
};
static const struct message finding_message = MESSAGE(struct dh_finding, finding_fields);

static const enum form form_of[] = {
	[TYPE_STRING] = FORM_STRING,
	[TYPE_BOOL] = FORM_VARINT,
	[TYPE_U32] = FORM_VARINT,
	[TYPE_U64] = FORM_VARINT,
	[TYPE_I32] = FORM_VARINT,
	[TYPE_ENUM] = FORM_VARINT,
	[TYPE_F64] = FORM_FIXED,
	[TYPE_MESSAGE] = FORM_MESSAGE,
	[TYPE_ARRAY] = FORM_ARRAY,
};

/* The first strings of a body, which later ones may refer to. */
#define MAX_STRINGS 64

/* The buffer's end is kept here, so that the many short writes stay inside this file. */
struct writer {
	struct dh_buf *out;
	uint8_t *at, *end;
	const char *strings[MAX_STRINGS];
	size_t marks[MAX_STRINGS]; /* length and outer bytes: differ in nearly all that differ */
	unsigned n;
};

/* A head and its number. */
#define MAX_SHORT 16

static size_t length(const struct writer *w)
{
	return (size_t)(w->at - (uint8_t *)w->out->data);
}

static void make_room(struct writer *w, size_t n)
{
	if ((size_t)(w->end - w->at) >= n)
		return;
	if (w->at)
		w->out->len = length(w);
	w->at = dh_buf_reserve(w->out, DH_MAX(n, (size_t)1024));
	w->end = w->at + DH_MAX(n, (size_t)1024);
}

/* Only where make_room() was called. */
static void put_varint(struct writer *w, uint64_t v)
{
	while (v >= 0x80) {
		*w->at++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*w->at++ = (uint8_t)v;
}

static void put_head(struct writer *w, const struct field *f, enum form form)
{
	make_room(w, MAX_SHORT);
	*w->at++ = (uint8_t)(f->number << 3 | form);
}

static void put_string(struct writer *w, const struct field *f, const char *s)
{
	size_t n = strlen(s);
	size_t mark = n << 16 | (n ? (size_t)(uint8_t)s[0] << 8 | (uint8_t)s[n - 1] : 0);

	for (unsigned i = 0; i < w->n; i++) {
		if (w->marks[i] == mark && memcmp(w->strings[i], s, n) == 0) {
			put_head(w, f, FORM_REF);
			put_varint(w, i);
			return;
		}
	}
	if (w->n < MAX_STRINGS) {
		w->strings[w->n] = s;
		w->marks[w->n++] = mark;
	}
	make_room(w, MAX_SHORT + n);
	put_head(w, f, FORM_STRING);
	put_varint(w, n);
	memcpy(w->at, s, n);
	w->at += n;
}

static uint64_t load_number(const struct field *f, const char *p)
{
	int32_t i;
	uint32_t u;
	uint64_t v;

	switch (f->type) {
	case TYPE_BOOL:
		return *(const bool *)p;
	case TYPE_U64:
		memcpy(&v, p, sizeof(v));
		return v;
	case TYPE_I32:
		/* Zigzag: small numbers of either sign are short. */
		memcpy(&i, p, sizeof(i));
		return ((uint32_t)i << 1) ^ (i < 0 ? UINT32_MAX : 0);
	default:
		memcpy(&u, p, sizeof(u));
		return u;
	}
}

static void put_message(struct writer *w, const struct message *m, const char *p);

static void put_sub(struct writer *w, const struct field *f, const char *p)
{
	size_t start;

	put_head(w, f, FORM_MESSAGE);
	start = length(w);
	put_message(w, f->sub, p);
	if (length(w) == start + 1)
		w->at -= 2; /* nothing but head and end */
}

static void put_array(struct writer *w, const struct field *f, const char *p, size_t n)
{
	const char *elements;

	if (!n)
		return;
	memcpy(&elements, p, sizeof(elements));
	put_head(w, f, FORM_ARRAY);
	put_varint(w, n);
	for (size_t i = 0; i < n; i++)
		put_message(w, f->sub, elements + i * f->sub->size);
}

static void put_fixed(struct writer *w, const struct field *f, const char *p)
{
	double v;

	memcpy(&v, p, sizeof(v));
	if (v == 0)
		return;
	put_head(w, f, FORM_FIXED);
	memcpy(w->at, &v, sizeof(v));
	w->at += sizeof(v);
}

static void put_field(struct writer *w, const struct field *f, const char *message)
{
	const char *p = message + f->at, *s;
	uint64_t v;
	size_t n;

	switch (form_of[f->type]) {
	case FORM_STRING:
		memcpy(&s, p, sizeof(s));
		if (s)
			put_string(w, f, s);
		return;
	case FORM_MESSAGE:
		put_sub(w, f, p);
		return;
	case FORM_ARRAY:
		memcpy(&n, message + f->count_at, sizeof(n));
		put_array(w, f, p, n);
		return;
	case FORM_FIXED:
		put_fixed(w, f, p);
		return;
	default:
		v = load_number(f, p);
		if (!v)
			return;
		put_head(w, f, FORM_VARINT);
		put_varint(w, v);
	}
}

static void put_message(struct writer *w, const struct message *m, const char *p)
{
	for (size_t i = 0; i < m->n; i++)
		put_field(w, &m->fields[i], p);
	make_room(w, 1);
	*w->at++ = 0;
}

void dh_codec_encode(const struct dh_finding *f, struct dh_buf *out)
{
	struct writer w = {.out = out};

	put_message(&w, &finding_message, (const char *)f);
	out->len = length(&w);
	out->data[out->len] = 0;
}

struct reader {
	const uint8_t *at, *end;
	struct dh_arena *arena;
	const char *strings[MAX_STRINGS];
	unsigned n;
};

static int get_varint(struct reader *r, uint64_t *ret)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		uint8_t c = *r->at++;

		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*ret = v;
			return 0;
		}
	}
	return -EBADMSG;
}

static int get_string(struct reader *r, const char **ret)
{
	uint64_t n;

	if (get_varint(r, &n) < 0 || n > (size_t)(r->end - r->at) || memchr(r->at, 0, n))
		return -EBADMSG;
	*ret = dh_arena_strndup(r->arena, (const char *)r->at, n);
	r->at += n;
	if (r->n < MAX_STRINGS)
		r->strings[r->n++] = *ret;
	return 0;
}

static int get_ref(struct reader *r, const char **ret)
{
	uint64_t i;

	if (get_varint(r, &i) < 0 || i >= r->n)
		return -EBADMSG;
	*ret = r->strings[i];
	return 0;
}

/* The number is checked against its field before it is stored. */
static int store_number(const struct field *f, char *p, uint64_t v)
{
	uint32_t u = (uint32_t)v;

	if (f->type == TYPE_U64) {
		memcpy(p, &v, sizeof(v));
		return 0;
	}
	if (v > UINT32_MAX || (f->type == TYPE_ENUM && v >= f->limit))
		return -EBADMSG;
	if (f->type == TYPE_BOOL) {
		*(bool *)p = v != 0;
		return 0;
	}
	if (f->type == TYPE_I32)
		u = (u >> 1) ^ (u & 1 ? UINT32_MAX : 0);
	memcpy(p, &u, sizeof(u));
	return 0;
}

static int get_message(struct reader *r, const struct message *m, char *p);

/* Capacities are powers of two, as model/finding.c wants them. */
static size_t capacity(size_t n)
{
	size_t cap = 1;

	while (cap < n)
		cap *= 2;
	return cap;
}

static int get_array(struct reader *r, const struct field *f, char *message)
{
	uint64_t n;
	size_t count;
	char *elements;

	/* Each element takes at least its end byte, which bounds what is allocated. */
	if (get_varint(r, &n) < 0 || !n || n > (size_t)(r->end - r->at))
		return -EBADMSG;
	elements = dh_arena_alloc(r->arena, capacity(n) * f->sub->size);
	for (uint64_t i = 0; i < n; i++) {
		char *element = elements + i * f->sub->size;

		if (get_message(r, f->sub, element) < 0)
			return -EBADMSG;
		if (f->sub == &string_message && !*(const char **)element)
			return -EBADMSG;
	}
	count = n;
	memcpy(message + f->at, &elements, sizeof(elements));
	memcpy(message + f->count_at, &count, sizeof(count));
	return 0;
}

static int get_fixed(struct reader *r, char *p)
{
	double v;

	if ((size_t)(r->end - r->at) < sizeof(v))
		return -EBADMSG;
	memcpy(&v, r->at, sizeof(v));
	r->at += sizeof(v);
	if (!isfinite(v))
		return -EBADMSG;
	memcpy(p, &v, sizeof(v));
	return 0;
}

static int get_field(struct reader *r, const struct field *f, enum form form, char *message)
{
	const char *s;
	uint64_t v;
	char *p = message + f->at;

	if (form != form_of[f->type] && !(form == FORM_REF && f->type == TYPE_STRING))
		return -EBADMSG;
	switch (form) {
	case FORM_STRING:
	case FORM_REF:
		if ((form == FORM_REF ? get_ref(r, &s) : get_string(r, &s)) < 0)
			return -EBADMSG;
		memcpy(p, &s, sizeof(s));
		return 0;
	case FORM_MESSAGE:
		return get_message(r, f->sub, p);
	case FORM_ARRAY:
		return get_array(r, f, message);
	case FORM_FIXED:
		return get_fixed(r, p);
	default:
		return get_varint(r, &v) < 0 ? -EBADMSG : store_number(f, p, v);
	}
}

static int get_message(struct reader *r, const struct message *m, char *p)
{
	while (r->at < r->end) {
		uint8_t head = *r->at++;
		const struct field *f = NULL;

		if (!head)
			return 0;
		for (size_t i = 0; i < m->n; i++) {
			if (m->fields[i].number == head >> 3)
				f = &m->fields[i];
		}
		if (!f || get_field(r, f, (enum form)(head & 7), p) < 0)
			return -EBADMSG;
	}
	return -EBADMSG;
}

int dh_codec_decode(const void *p, size_t n, struct dh_finding *f)
{
	struct reader r = {.at = p, .end = (const uint8_t *)p + n, .arena = &f->arena};

	if (get_message(&r, &finding_message, (char *)f) < 0 || r.at != r.end)
		return -EBADMSG;
	for (size_t i = 0; i < f->n_steps; i++) {
		if (f->steps[i].site < -1 || f->steps[i].site >= (int64_t)f->n_sites)
			return -EBADMSG;
	}
	return 0;
}
