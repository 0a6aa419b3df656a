#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

void dh_json_init(struct dh_json *j, struct dh_buf *out, int indent)
{
	*j = (struct dh_json){.out = out, .indent = indent};
}

static void newline(struct dh_json *j)
{
	if (!j->indent)
		return;
	dh_buf_addc(j->out, '\n');
	for (int i = 0; i < j->depth * j->indent; i++)
		dh_buf_addc(j->out, ' ');
}

static void add_escaped(struct dh_buf *b, const char *s, size_t n)
{
	const char *end = s + n;

	dh_buf_addc(b, '"');
	while (s < end) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\') {
			dh_buf_addc(b, '\\');
			dh_buf_addc(b, *s++);
		} else if (c == '\n') {
			dh_buf_adds(b, "\\n");
			s++;
		} else if (c == '\t') {
			dh_buf_adds(b, "\\t");
			s++;
		} else if (c < 0x20 || c == 0x7f) {
			dh_buf_addf(b, "\\u%04x", c);
			s++;
		} else {
			size_t len = dh_utf8_len(s, (size_t)(end - s));

			if (len)
				dh_buf_add(b, s, len);
			else
				dh_buf_adds(b, "\xef\xbf\xbd");
			s += len ? len : 1;
		}
	}
	dh_buf_addc(b, '"');
}

static void begin_value(struct dh_json *j, const char *key)
{
	if (j->comma[j->depth])
		dh_buf_addc(j->out, ',');
	if (j->depth)
		newline(j);
	j->comma[j->depth] = true;
	if (key) {
		add_escaped(j->out, key, strlen(key));
		dh_buf_adds(j->out, j->indent ? ": " : ":");
	}
}

static void open_nest(struct dh_json *j, const char *key, char c)
{
	begin_value(j, key);
	dh_buf_addc(j->out, c);
	assert(j->depth + 1 < DH_JSON_MAX_DEPTH);
	j->comma[++j->depth] = false;
}

static void close_nest(struct dh_json *j, char c)
{
	bool any = j->comma[j->depth];

	assert(j->depth > 0);
	j->depth--;
	if (any)
		newline(j);
	dh_buf_addc(j->out, c);
	if (!j->depth && j->indent)
		dh_buf_addc(j->out, '\n');
}

void dh_json_object(struct dh_json *j, const char *key)
{
	open_nest(j, key, '{');
}

void dh_json_array(struct dh_json *j, const char *key)
{
	open_nest(j, key, '[');
}

void dh_json_end_object(struct dh_json *j)
{
	close_nest(j, '}');
}

void dh_json_end_array(struct dh_json *j)
{
	close_nest(j, ']');
}

void dh_json_stringn(struct dh_json *j, const char *key, const char *s, size_t n)
{
	begin_value(j, key);
	add_escaped(j->out, s, n);
}

void dh_json_string(struct dh_json *j, const char *key, const char *s)
{
	if (s)
		dh_json_stringn(j, key, s, strlen(s));
	else
		dh_json_null(j, key);
}

void dh_json_int(struct dh_json *j, const char *key, int64_t v)
{
	begin_value(j, key);
	dh_buf_addf(j->out, "%" PRId64, v);
}

void dh_json_uint(struct dh_json *j, const char *key, uint64_t v)
{
	begin_value(j, key);
	dh_buf_addf(j->out, "%" PRIu64, v);
}

void dh_json_double(struct dh_json *j, const char *key, double v)
{
	if (!isfinite(v)) {
		dh_json_null(j, key);
		return;
	}
	begin_value(j, key);
	dh_buf_addf(j->out, "%.10g", v);
}

void dh_json_bool(struct dh_json *j, const char *key, bool v)
{
	begin_value(j, key);
	dh_buf_adds(j->out, v ? "true" : "false");
}

void dh_json_null(struct dh_json *j, const char *key)
{
	begin_value(j, key);
	dh_buf_adds(j->out, "null");
}
