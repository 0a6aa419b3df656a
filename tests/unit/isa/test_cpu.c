#include "../unit.h"

#include <cpuid.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/cpu.h"

/* The line of /proc/cpuinfo that begins with key, behind the colon; "" when there is none. */
static void cpuinfo(const char *key, char *ret, size_t size)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char *line = NULL;
	size_t cap = 0;

	assert_non_null(f);
	*ret = '\0';
	while (getline(&line, &cap, f) > 0) {
		if (strncmp(line, key, strlen(key)) != 0 || !strchr(line, ':'))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(ret, size, "%s", strchr(line, ':') + 2);
		break;
	}
	free(line);
	fclose(f);
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += n)
		if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

/* The kernel has read the same CPU. */
static void agrees_with_the_kernel(void **state)
{
	static const char *const names[] = {"sse2", "pni", "ssse3", "sse4_1", "sse4_2", "sse4a",
		"popcnt", "aes", "xsave", "avx", "f16c", "fma", "bmi1", "bmi2", "avx2", "erms",
		"avx512f", "avx512vl", "sha_ni", "vaes", "rdpid", "fsrm", "xsavec", "rdtscp", "abm",
		"clzero", "fsgsbase"};
	char text[8192];
	struct dh_cpu c;

	(void)state;
	dh_cpu_read(&c);
	cpuinfo("vendor_id", text, sizeof(text));
	assert_string_equal(c.vendor, text);
	cpuinfo("model name", text, sizeof(text));
	assert_string_equal(c.model, text);
	cpuinfo("flags", text, sizeof(text));
	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++)
		if (has_word(c.features, names[i]) != has_word(text, names[i]))
			fail_msg("%s: the kernel says otherwise", names[i]);
	assert_true(c.xstate_size >= 512);
}

static bool is_hybrid(void)
{
	unsigned a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && d >> 15 & 1;
}

static void is_the_same_on_every_core(void **state)
{
	struct dh_cpu first, c;
	cpu_set_t all, one;
	int seen = 0;

	(void)state;
	if (is_hybrid()) {
		print_message("this CPU has cores of several kinds\n");
		skip();
	}
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(i, &one);
		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		dh_cpu_read(seen++ ? &c : &first);
		if (seen == 1)
			continue;
		assert_string_equal(first.features, c.features);
		assert_int_equal(first.id, c.id);
		assert_int_equal(first.xstate_size, c.xstate_size);
	}
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_kernel),
		cmocka_unit_test(is_the_same_on_every_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
