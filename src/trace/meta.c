#include "trace/meta.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/utf8.h"
#include "trace/format.h"

/* The longest argument list that the kernel takes (6 MiB) with every byte escaped, and more. */
#define META_MAX   (64u << 20)
#define META_NAME  "meta.json"
#define SCHEMA     "deadheat-recording"
#define HEX_DIGITS 16
/* How the file ends, in every version of the format: a hash of all bytes before. */
#define TAIL     ",\n  \"checksum\": \"%016lx\"\n}\n"
#define TAIL_LEN (sizeof(TAIL) - 1 - 6 + HEX_DIGITS)

void dh_trace_machine_release(struct dh_trace_machine *m)
{
	free(m->kernel);
	free(m->cpu_vendor);
	free(m->cpu_model);
	free(m->cpu_features);
	*m = (struct dh_trace_machine){0};
}

void dh_trace_meta_release(struct dh_trace_meta *m)
{
	free(m->tool_version);
	for (char **a = m->argv; a && *a; a++)
		free(*a);
	free(m->argv);
	free(m->cwd);
	dh_trace_machine_release(&m->machine);
	*m = (struct dh_trace_meta){0};
}

void dh_trace_machine_init(struct dh_trace_machine *m, const char *cpu_vendor,
	const char *cpu_model, const char *cpu_features, uint64_t cpu_id, uint32_t xstate_size)
{
	struct utsname u;

	*m = (struct dh_trace_machine){
		.kernel = dh_strdup(uname(&u) == 0 ? u.release : "unknown"),
		.cpu_vendor = dh_strdup(cpu_vendor),
		.cpu_model = dh_strdup(cpu_model),
		.cpu_features = dh_strdup(cpu_features),
		.cpu_id = cpu_id,
		.xstate_size = xstate_size,
		.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
	};
}

static bool is_utf8(const char *s)
{
	size_t left = strlen(s), n;

	for (; left; s += n, left -= n) {
		n = dh_utf8_len(s, left);
		if (!n)
			return false;
	}
	return true;
}

/* Any bytes: a string where JSON can hold it, else {"hex": "..."}. */
static void put_bytes(struct dh_json *j, const char *key, const char *s)
{
	DH_BUF struct dh_buf hex = DH_BUF_INIT;

	if (!s || is_utf8(s)) {
		dh_json_string(j, key, s);
		return;
	}
	for (; *s; s++)
		dh_buf_addf(&hex, "%02x", (unsigned char)*s);
	dh_json_object(j, key);
	dh_json_string(j, "hex", dh_buf_str(&hex));
	dh_json_end_object(j);
}

static void put_hex(struct dh_json *j, const char *key, uint64_t v)
{
	char text[HEX_DIGITS + 1];

	snprintf(text, sizeof(text), "%016lx", v);
	dh_json_string(j, key, text);
}

static void put_machine(struct dh_json *j, const struct dh_trace_machine *m)
{
	dh_json_object(j, "machine");
	put_bytes(j, "kernel", m->kernel);
	put_bytes(j, "cpu_vendor", m->cpu_vendor);
	put_bytes(j, "cpu_model", m->cpu_model);
	put_bytes(j, "cpu_features", m->cpu_features);
	put_hex(j, "cpu_id", m->cpu_id);
	dh_json_uint(j, "xstate_size", m->xstate_size);
	dh_json_uint(j, "page_size", m->page_size);
	dh_json_end_object(j);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void put_meta(struct dh_json *j, const struct dh_trace_meta *m)
{
	dh_json_string(j, "schema", SCHEMA);
	dh_json_uint(j, "format", DH_TRACE_FORMAT);
	put_bytes(j, "tool_version", m->tool_version ? m->tool_version : DH_VERSION);
	put_hex(j, "recording", m->recording);
	dh_json_array(j, "argv");
	for (char **a = m->argv; a && *a; a++)
		put_bytes(j, NULL, *a);
	dh_json_end_array(j);
	put_bytes(j, "cwd", m->cwd);
	dh_json_uint(j, "n_env", m->n_env);
	dh_json_int(j, "time_ns", m->time_ns ? m->time_ns : now_ns());
	dh_json_int(j, "root_pid", m->root_pid);
	dh_json_uint(j, "cpu", m->cpu);
	dh_json_uint(j, "flags", m->flags);
	dh_json_uint(j, "max_size", m->max_size);
	put_machine(j, &m->machine);
}

int dh_trace_meta_write(const char *dir, const struct dh_trace_meta *m, struct dh_error *err)
{
	DH_FREE char *path = dh_asprintf("%s/" META_NAME, dir);
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	struct dh_json j;

	dh_json_init(&j, &text, 2);
	dh_json_object(&j, NULL);
	put_meta(&j, m);
	dh_buf_addf(&text, TAIL, XXH3_64bits(text.data, text.len));
	return (m->flags & DH_TRACE_UNSYNCED ? dh_write_file_unsynced : dh_write_file_atomic)(
		path, text.data, text.len, err);
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static char *from_hex(const char *hex)
{
	size_t n = strlen(hex) / 2;
	char *s = dh_zalloc(n + 1);

	for (size_t i = 0; i < n; i++) {
		int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);

		/* A byte 0 would end the string early: put_bytes() never writes it. */
		if (high < 0 || low < 0 || (high | low) == 0) {
			free(s);
			return NULL;
		}
		s[i] = (char)(high << 4 | low);
	}
	return s;
}

/* The string that put_bytes() wrote, or NULL. */
static char *get_bytes(const json_t *v)
{
	const char *hex = json_string_value(json_object_get(v, "hex"));

	if (json_is_string(v))
		return dh_strdup(json_string_value(v));
	return hex ? from_hex(hex) : NULL;
}

/* Reading one member after the other; ok turns false at the first that is not what it must be. */
struct members {
	const json_t *object;
	bool ok;
};

static char *take_bytes(struct members *m, const char *key)
{
	char *s = get_bytes(json_object_get(m->object, key));

	m->ok = m->ok && s;
	return s;
}

static uint64_t take_hex(struct members *m, const char *key)
{
	const char *s = json_string_value(json_object_get(m->object, key));

	m->ok = m->ok && s && strspn(s, "0123456789abcdef") == HEX_DIGITS && !s[HEX_DIGITS];
	return m->ok ? strtoull(s, NULL, 16) : 0;
}

static int64_t take_int(struct members *m, const char *key, int64_t min, int64_t max)
{
	const json_t *v = json_object_get(m->object, key);
	int64_t n = json_integer_value(v);

	m->ok = m->ok && json_is_integer(v) && n >= min && n <= max;
	return m->ok ? n : 0;
}

static void take_argv(struct members *m, struct dh_trace_meta *ret)
{
	const json_t *array = json_object_get(m->object, "argv");
	size_t n = json_array_size(array);

	m->ok = m->ok && json_is_array(array);
	ret->argv = dh_zalloc((n + 1) * sizeof(char *));
	for (size_t i = 0; i < n; i++) {
		ret->argv[i] = get_bytes(json_array_get(array, i));
		if (!ret->argv[i]) {
			m->ok = false;
			return;
		}
	}
}

static bool take_machine(const json_t *object, struct dh_trace_machine *ret)
{
	struct members m = {object, true};

	ret->kernel = take_bytes(&m, "kernel");
	ret->cpu_vendor = take_bytes(&m, "cpu_vendor");
	ret->cpu_model = take_bytes(&m, "cpu_model");
	ret->cpu_features = take_bytes(&m, "cpu_features");
	ret->cpu_id = take_hex(&m, "cpu_id");
	ret->xstate_size = (uint32_t)take_int(&m, "xstate_size", 0, UINT32_MAX);
	ret->page_size = (uint32_t)take_int(&m, "page_size", 1, UINT32_MAX);
	return m.ok;
}

static bool take_meta(const json_t *object, struct dh_trace_meta *ret)
{
	struct members m = {object, true};

	ret->format = (uint32_t)take_int(&m, "format", 0, UINT32_MAX);
	ret->tool_version = take_bytes(&m, "tool_version");
	ret->recording = take_hex(&m, "recording");
	take_argv(&m, ret);
	ret->cwd = take_bytes(&m, "cwd");
	ret->n_env = (uint32_t)take_int(&m, "n_env", 0, UINT32_MAX);
	ret->time_ns = take_int(&m, "time_ns", INT64_MIN, INT64_MAX);
	ret->root_pid = (int32_t)take_int(&m, "root_pid", 0, INT32_MAX);
	ret->cpu = (uint32_t)take_int(&m, "cpu", 0, UINT32_MAX);
	ret->flags = (uint32_t)take_int(&m, "flags", 0, UINT32_MAX);
	ret->max_size = (uint64_t)take_int(&m, "max_size", 0, INT64_MAX);
	return take_machine(json_object_get(object, "machine"), &ret->machine) && m.ok;
}

static bool checksum_right(const struct dh_buf *text)
{
	char tail[TAIL_LEN + 1];
	size_t n = text->len - TAIL_LEN;

	if (text->len < TAIL_LEN)
		return false;
	snprintf(tail, sizeof(tail), TAIL, XXH3_64bits(text->data, n));
	return memcmp(text->data + n, tail, TAIL_LEN) == 0;
}

/* Of another format only these two members are certain to be there. */
static int check_format(const json_t *object, const char *path, struct dh_error *err)
{
	const json_t *format = json_object_get(object, "format");
	const char *schema = json_string_value(json_object_get(object, "schema"));
	const char *tool = json_string_value(json_object_get(object, "tool_version"));

	if (!schema || strcmp(schema, SCHEMA) != 0 || !json_is_integer(format))
		return dh_error_set(err, EBADMSG, "%s: not the description of a recording", path);
	if (json_integer_value(format) != DH_TRACE_FORMAT)
		return dh_error_set(err, EPROTO,
			"%s: recorded in format %lld by deadheat %s; this is deadheat %s, which "
			"reads format %d: replay with the version that recorded",
			path, (long long)json_integer_value(format), tool ? tool : "(unknown)",
			DH_VERSION, DH_TRACE_FORMAT);
	return 0;
}

static int parse_meta(const struct dh_buf *text, const char *path, struct dh_trace_meta *ret,
	struct dh_error *err)
{
	struct dh_trace_meta m = {0};
	json_error_t where;
	json_t *object;
	int r;

	object = json_loadb(text->data, text->len, 0, &where);
	if (!object)
		return dh_error_set(
			err, EBADMSG, "%s:%d: damaged: %s", path, where.line, where.text);
	r = check_format(object, path, err);
	/* Another version may have another checksum too. */
	if (r != -EPROTO && !checksum_right(text))
		r = dh_error_set(err, EBADMSG, "%s: damaged (the checksum is wrong)", path);
	if (r == 0 && !take_meta(object, &m))
		r = dh_error_set(err, EBADMSG, "%s: a member is missing or not valid", path);
	json_decref(object);
	if (r < 0)
		dh_trace_meta_release(&m);
	else
		*ret = m;
	return r;
}

int dh_trace_meta_read(const char *dir, struct dh_trace_meta *ret, struct dh_error *err)
{
	DH_FREE char *path = dh_asprintf("%s/" META_NAME, dir);
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	int r = dh_read_file(path, META_MAX, &text, err);

	if (r == -ENOENT || r == -ENOTDIR)
		return dh_error_set(
			err, ENOENT, "%s: no recording there (%s is missing)", dir, path);
	if (r < 0)
		return r;
	return parse_meta(&text, path, ret, err);
}
