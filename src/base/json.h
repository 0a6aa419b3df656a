/* A JSON writer into a dh_buf: tracks nesting and commas, escapes strings, replaces invalid
 * UTF-8 by U+FFFD so that the output is always valid.  (Reading JSON is jansson's job.) */
#pragma once
#include "base/forward.h"

#define DH_JSON_MAX_DEPTH 64

struct dh_json {
	struct dh_buf *out;
	int indent; /* spaces per level; 0 for one line */
	int depth;
	bool comma[DH_JSON_MAX_DEPTH]; /* an element stands before, at this depth */
};

void dh_json_init(struct dh_json *j, struct dh_buf *out, int indent);
/* key is NULL inside arrays and at the top. */
void dh_json_object(struct dh_json *j, const char *key);
void dh_json_array(struct dh_json *j, const char *key);
void dh_json_end_object(struct dh_json *j);
void dh_json_end_array(struct dh_json *j);
void dh_json_string(struct dh_json *j, const char *key, const char *s); /* NULL writes null */
void dh_json_stringn(struct dh_json *j, const char *key, const char *s, size_t n);
void dh_json_int(struct dh_json *j, const char *key, int64_t v);
void dh_json_uint(struct dh_json *j, const char *key, uint64_t v);
void dh_json_double(struct dh_json *j, const char *key, double v);
void dh_json_bool(struct dh_json *j, const char *key, bool v);
void dh_json_null(struct dh_json *j, const char *key);
