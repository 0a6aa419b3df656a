#include "recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "trace/format.h"

static char *dir_with_meta(const struct dh_trace_meta *m)
{
	char *dir = scratch_new();
	struct dh_error err = DH_ERROR_INIT;

	assert_int_equal(dh_mkdir_p(dir, 0755, NULL), 0);
	if (dh_trace_meta_write(dir, m, &err) < 0)
		fail_msg("%s", err.text);
	return dir;
}

static void comes_back(void **state)
{
	struct dh_trace_meta m = test_meta(), got;
	char *dir;

	(void)state;
	m.recording = 0xffffffffffffffff;
	m.time_ns = 1234567890123456789;
	m.flags = DH_TRACE_CHAOS;
	m.max_size = 5u << 20;
	free(m.argv[1]);
	/* Not UTF-8, and with everything that JSON escapes. */
	m.argv[1] = dh_strdup("\xff\xfe \"quoted\" \\ \n\t\x01");
	free(m.cwd);
	m.cwd = dh_strdup("/home/\xc3\xa9t\xc3\xa9/\"x\"\n");
	dir = dir_with_meta(&m);
	assert_int_equal(dh_trace_meta_read(dir, &got, NULL), 0);
	assert_int_equal(got.format, DH_TRACE_FORMAT);
	assert_string_equal(got.tool_version, DH_VERSION);
	assert_int_equal(got.recording, m.recording);
	assert_string_equal(got.argv[0], m.argv[0]);
	assert_string_equal(got.argv[1], m.argv[1]);
	assert_null(got.argv[2]);
	assert_string_equal(got.cwd, m.cwd);
	assert_int_equal(got.n_env, 7);
	assert_int_equal(got.time_ns, m.time_ns);
	assert_int_equal(got.root_pid, 42);
	assert_int_equal(got.flags, DH_TRACE_CHAOS);
	assert_int_equal(got.max_size, 5u << 20);
	assert_string_equal(got.machine.kernel, m.machine.kernel);
	assert_string_equal(got.machine.cpu_features, "alpha beta");
	assert_int_equal(got.machine.cpu_id, m.machine.cpu_id);
	assert_int_equal(got.machine.xstate_size, 832);
	assert_int_equal(got.machine.page_size, m.machine.page_size);
	dh_trace_meta_release(&got);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

static void long_command_lines(void **state)
{
	struct dh_trace_meta m = test_meta(), got;
	size_t n = 3u << 20;
	char *dir;

	(void)state;
	free(m.argv[1]);
	m.argv[1] = dh_alloc(n + 1);
	memset(m.argv[1], 1, n);
	m.argv[1][n] = '\0';
	dir = dir_with_meta(&m);
	assert_int_equal(dh_trace_meta_read(dir, &got, NULL), 0);
	assert_string_equal(got.argv[1], m.argv[1]);
	dh_trace_meta_release(&got);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

/* Puts a text of our own there, with a right checksum. */
static void put_text(const char *dir, const char *text)
{
	DH_FREE char *path = path_in(dir, "meta.json");
	DH_FREE char *whole = dh_asprintf(
		"%s,\n  \"checksum\": \"%016lx\"\n}\n", text, XXH3_64bits(text, strlen(text)));

	write_whole(path, whole, strlen(whole));
}

static void other_versions_are_named(void **state)
{
	struct dh_trace_meta m = test_meta(), got;
	struct dh_error err = DH_ERROR_INIT;
	char *dir = dir_with_meta(&m);
	DH_FREE char *ours =
		dh_asprintf("{\"schema\": \"deadheat-recording\", \"format\": %d", DH_TRACE_FORMAT);

	(void)state;
	put_text(dir, "{\"schema\": \"deadheat-recording\", \"format\": 77, "
		      "\"tool_version\": \"9.8.7\"");
	assert_int_equal(dh_trace_meta_read(dir, &got, &err), -EPROTO);
	assert_non_null(strstr(err.text, "77"));
	assert_non_null(strstr(err.text, "9.8.7"));
	assert_non_null(strstr(err.text, DH_VERSION));
	put_text(dir, "{\"schema\": \"something-else\", \"format\": 1");
	assert_int_equal(dh_trace_meta_read(dir, &got, &err), -EBADMSG);
	put_text(dir, ours);
	assert_int_equal(dh_trace_meta_read(dir, &got, &err), -EBADMSG);
	put_text(dir, "[1, 2, ");
	assert_int_equal(dh_trace_meta_read(dir, &got, &err), -EBADMSG);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

/* Members that are missing or of another type or range. */
static void every_member_is_checked(void **state)
{
	static const char *const wrong[][2] = {
		{"\"n_env\": 7", "\"n_env\": -1"},
		{"\"n_env\": 7", "\"n_env\": \"7\""},
		{"\"n_env\": 7", "\"n_emv\": 7"},
		{"\"root_pid\": 42", "\"root_pid\": 4294967296"},
		{"\"cwd\": \"/some/where\"", "\"cwd\": {\"hex\": \"2f7\"}, \"x\": 1.5, \"cwd\": 3"},
		{"\"two words\"", "{\"hex\": \"2f00\"}"},
		{"\"two words\"", "[]"},
		{"fedcba9876543210", "fedcba987654321"},
		{"fedcba9876543210", "fedcba987654321x"},
		{"\"machine\": {", "\"machines\": {"},
		{"\"page_size\": 4096", "\"page_size\": 0"},
	};
	struct dh_trace_meta m = test_meta(), got;
	struct dh_buf text = DH_BUF_INIT;
	char *dir = dir_with_meta(&m);
	DH_FREE char *path = path_in(dir, "meta.json");

	(void)state;
	read_whole(path, &text);
	*strstr(text.data, ",\n  \"checksum\"") = '\0';
	put_text(dir, text.data);
	assert_int_equal(dh_trace_meta_read(dir, &got, NULL), 0);
	dh_trace_meta_release(&got);
	for (size_t i = 0; i < DH_ARRAY_SIZE(wrong); i++) {
		char *at = strstr(text.data, wrong[i][0]);
		DH_FREE char *changed = NULL;

		assert_non_null(at);
		changed = dh_asprintf("%.*s%s%s", (int)(at - text.data), text.data, wrong[i][1],
			at + strlen(wrong[i][0]));
		put_text(dir, changed);
		assert_int_equal(dh_trace_meta_read(dir, &got, NULL), -EBADMSG);
	}
	dh_buf_release(&text);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

static void any_change_is_noticed(void **state)
{
	struct dh_trace_meta m = test_meta(), got;
	struct dh_buf text = DH_BUF_INIT;
	char *dir = dir_with_meta(&m);
	DH_FREE char *path = path_in(dir, "meta.json");
	int r;

	(void)state;
	read_whole(path, &text);
	for (size_t i = 0; i < text.len; i++) {
		text.data[i] ^= (char)(1 << i % 8);
		write_whole(path, text.data, text.len);
		text.data[i] ^= (char)(1 << i % 8);
		r = dh_trace_meta_read(dir, &got, NULL);
		assert_true(r == -EBADMSG || r == -EPROTO); /* another format, it says */
		write_whole(path, text.data, i);
		assert_int_equal(dh_trace_meta_read(dir, &got, NULL), -EBADMSG);
	}
	dh_buf_release(&text);
	dh_trace_meta_release(&m);
	scratch_free(dir);
}

static struct dh_trace_machine machine(const char *features)
{
	struct dh_trace_machine m;

	dh_trace_machine_init(&m, "Vendor", "Model 1", features, 5, 832);
	return m;
}

static void expect(const struct dh_trace_machine *a, const struct dh_trace_machine *b,
	enum dh_trace_machine_match match, const char *why)
{
	struct dh_buf got = DH_BUF_INIT;

	assert_int_equal(dh_trace_meta_compare_machine(a, b, &got), match);
	assert_string_equal(dh_buf_str(&got), why);
	dh_buf_release(&got);
}

static void machines_are_compared(void **state)
{
	struct dh_trace_machine a = machine("sse2 avx avx512f avx512vl"), b = machine("sse2 avx");
	struct dh_trace_machine c = machine("avx sse2"), d = machine("sse2 avx512f avx");

	(void)state;
	expect(&a, &a, DH_TRACE_MACHINE_SAME, "");
	expect(&b, &c, DH_TRACE_MACHINE_SAME, "");
	expect(&d, &b, DH_TRACE_MACHINE_OTHER,
		"CPU features: recorded with avx512f, this machine lacks it\n");
	expect(&a, &b, DH_TRACE_MACHINE_OTHER,
		"CPU features: recorded with avx512f, avx512vl, this machine lacks them\n");
	expect(&b, &d, DH_TRACE_MACHINE_OTHER,
		"CPU features: recorded without avx512f, this machine has it\n");
	b.cpu_id++;
	expect(&b, &c, DH_TRACE_MACHINE_SIMILAR,
		"CPU: the same model, but it describes itself differently (cache sizes, number of "
		"CPUs or microcode features)\n");
	b.cpu_model[6] = '2';
	expect(&b, &c, DH_TRACE_MACHINE_SIMILAR,
		"CPU model: recorded on Model 2, this machine has Model 1\n");
	b.page_size = 4096;
	c.page_size = 65536;
	b.xstate_size = 2696;
	b.cpu_model[6] = '1';
	expect(&b, &c, DH_TRACE_MACHINE_OTHER,
		"size of the CPU's extended state: recorded with 2696, this machine has 832\n"
		"page size: recorded with 4096, this machine has 65536\n");
	dh_trace_machine_release(&a);
	dh_trace_machine_release(&b);
	dh_trace_machine_release(&c);
	dh_trace_machine_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back),
		cmocka_unit_test(long_command_lines),
		cmocka_unit_test(other_versions_are_named),
		cmocka_unit_test(every_member_is_checked),
		cmocka_unit_test(any_change_is_noticed),
		cmocka_unit_test(machines_are_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
