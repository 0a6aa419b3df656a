/* What must not change a fingerprint, and what must. */
#include "../unit.h"

#include <stdlib.h>

#include "../gen.h"

struct shape {
	enum dh_kind kind;
	const char *variable, *object;
	struct dh_site sites[2];
};

static const struct shape plain = {
	.kind = DH_KIND_DATA_RACE,
	.variable = "counter",
	.sites = {{.role = "first",
			  .who = "thread 1",
			  .at = {.function = "deposit", .file = "src/bank.c", .line = 12},
			  .access = {.kind = DH_ACCESS_WRITE, .size = 4}},
		{.role = "second",
			.who = "thread 2",
			.at = {.function = "withdraw", .file = "src/bank.c", .line = 30},
			.access = {.kind = DH_ACCESS_READ, .size = 4}}},
};

static const char *print_of(const struct shape *s)
{
	static char prints[8][33];
	static unsigned at;
	struct dh_finding *f = dh_finding_new(s->kind);
	char *print = prints[at++ % 8];

	f->variable = s->variable;
	f->object = s->object;
	dh_finding_add_site(f, &s->sites[0]);
	dh_finding_add_site(f, &s->sites[1]);
	dh_finding_seal(f);
	assert_int_equal(strlen(f->fingerprint), 32);
	assert_int_equal(strspn(f->fingerprint, "0123456789abcdef"), 32);
	assert_int_equal(strlen(f->id), 12);
	assert_memory_equal(f->id, f->fingerprint, 12);
	memcpy(print, f->fingerprint, 33);
	dh_finding_free(f);
	return print;
}

static void same(const struct shape *a, const struct shape *b)
{
	assert_string_equal(print_of(a), print_of(b));
}

static void different(const struct shape *a, const struct shape *b)
{
	assert_string_not_equal(print_of(a), print_of(b));
}

static void never_changes_between_versions(void **state)
{
	(void)state;
	/* Stores in the field hold these: a change needs a new version of the recipe. */
	assert_string_equal(print_of(&plain), "d5e2587a9f782ff20b70cfb6bb97805e");
}

static void sides_are_symmetric(void **state)
{
	struct shape s = plain;

	(void)state;
	s.sites[0] = plain.sites[1];
	s.sites[1] = plain.sites[0];
	same(&plain, &s);
}

static void ignores_what_runs_and_builds_change(void **state)
{
	struct dh_frame frames[2] = {{.function = "deposit"}, {.function = "main"}};
	struct shape s = plain;

	(void)state;
	s.sites[0].at.line = 19;
	s.sites[1].at.line = 37;
	s.sites[0].at.column = 5;
	s.sites[0].at.file = "/opt/build/../src/bank.c";
	s.sites[0].at.module = "/usr/bin/bank";
	s.sites[0].at.offset = 0x1234;
	s.sites[0].at.build_id = "00ff";
	s.sites[0].who = "thread 4711";
	s.sites[0].stack = (struct dh_stack){frames, 2};
	s.sites[0].text = "balance += n;";
	s.object = "heap block of 64 bytes at 0x5581234567";
	same(&plain, &s);
}

static void ignores_the_access_of_a_known_variable(void **state)
{
	struct shape s = plain;

	(void)state;
	s.sites[1].access.kind = DH_ACCESS_WRITE;
	s.sites[1].access.size = 0;
	same(&plain, &s);
	s.variable = NULL;
	struct shape t = s;

	t.sites[1].access.kind = DH_ACCESS_READ;
	different(&s, &t);
	t = s;
	t.sites[1].access.size = 8;
	different(&s, &t);
}

static void function_names(void **state)
{
	static const char *const spellings[] = {"withdraw.isra.0", "withdraw.constprop.0.cold",
		"withdraw.part.12", "withdraw(account*, int)", "withdraw(void (*)(int)) const",
		"withdraw(int) [clone .cold]"};
	struct shape s = plain, anon = plain, anon_args = plain;

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(spellings); i++) {
		s.sites[1].at.function = spellings[i];
		same(&plain, &s);
	}
	anon.sites[1].at.function = "a::(anonymous namespace)::withdraw";
	anon_args.sites[1].at.function = "a::(anonymous namespace)::withdraw(int)";
	same(&anon, &anon_args);
	different(&plain, &anon);
	s.sites[1].at.function = "";
	different(&plain, &s);
}

static void variables(void **state)
{
	struct shape a = plain, b = plain;

	(void)state;
	a.variable = "accounts[3].balance";
	b.variable = "accounts[12].balance";
	same(&a, &b);
	a.variable = "*0x7ffd12345678";
	b.variable = "*0x55d0aa00ff10";
	same(&a, &b);
	a.variable = "state+0x10";
	b.variable = "state+0x18";
	different(&a, &b);
	a.variable = "queue1";
	b.variable = "queue2";
	different(&a, &b);
}

static void objects(void **state)
{
	struct shape a = plain, b = plain;

	(void)state;
	a.variable = b.variable = NULL;
	a.object = "/tmp/run.311/server.412.pid";
	b.object = "/var/run/server.9.pid";
	same(&a, &b);
	b.object = "/var/run/client.9.pid";
	different(&a, &b);
	a.object = "heap block of 64 bytes, 0x5581, made at a.c:12";
	b.object = "heap block of 64 bytes, 0x91ab, made at a.c:15";
	same(&a, &b);
}

static void callers_and_text_tell_unnamed_objects_apart(void **state)
{
	struct dh_frame one[] = {{.function = "deposit"}, {.function = "alice"}};
	struct dh_frame two[] = {{.function = "deposit"}, {.function = "bob"}};
	struct dh_frame bare[] = {{.function = "alice"}};
	struct shape a = plain, b = plain;

	(void)state;
	a.variable = b.variable = NULL;
	a.sites[0].stack = (struct dh_stack){one, 2};
	b.sites[0].stack = (struct dh_stack){two, 2};
	different(&a, &b);
	b.sites[0].stack = (struct dh_stack){bare, 1};
	same(&a, &b);
	b = a;
	a.sites[0].text = "\tn->next = head;";
	b.sites[0].text = "        n->next  =  head;";
	same(&a, &b);
	b.sites[0].text = "n->prev = tail;";
	different(&a, &b);
}

static void sensitive(void **state)
{
	struct shape s = plain;

	(void)state;
	s.kind = DH_KIND_ATOMICITY_VIOLATION;
	different(&plain, &s);
	s = plain;
	s.variable = "total";
	different(&plain, &s);
	s = plain;
	s.sites[0].at.function = "transfer";
	different(&plain, &s);
	s = plain;
	s.sites[0].at.file = "src/audit.c";
	different(&plain, &s);
}

static void without_symbols(void **state)
{
	struct shape a = plain, b;

	(void)state;
	a.sites[0].at = (struct dh_frame){.module = "/opt/a/libx.so", .offset = 0x1000};
	b = a;
	b.sites[0].at.module = "/opt/b/libx.so";
	same(&a, &b);
	b.sites[0].at.offset = 0x1008;
	different(&a, &b);
}

static void locks_count_in_deadlocks(void **state)
{
	const char *ab[] = {"a", "b"}, *ba[] = {"b", "a"}, *ac[] = {"a", "c"};
	struct shape x = plain, y;

	(void)state;
	x.kind = DH_KIND_DEADLOCK;
	x.sites[0].locks = ab;
	x.sites[0].n_locks = 2;
	y = x;
	y.sites[0].locks = ba;
	same(&x, &y);
	y.sites[0].locks = ac;
	different(&x, &y);
	x.kind = y.kind = DH_KIND_DATA_RACE;
	same(&x, &y);
}

/* 20,000 bugs, each in two variants: exactly 20,000 prints. */
static void no_collisions(void **state)
{
	enum { BUGS = 20000 };
	static char prints[BUGS][33];
	uint64_t seed = 5;

	(void)state;
	for (uint64_t i = 0; i < BUGS; i++) {
		struct dh_finding *f = gen_finding(i, &seed), *g = gen_finding(i, &seed);

		assert_string_equal(f->fingerprint, g->fingerprint);
		memcpy(prints[i], f->fingerprint, 33);
		dh_finding_free(f);
		dh_finding_free(g);
	}
	qsort(prints, BUGS, sizeof(prints[0]), (int (*)(const void *, const void *))strcmp);
	for (size_t i = 1; i < BUGS; i++)
		assert_string_not_equal(prints[i - 1], prints[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(never_changes_between_versions),
		cmocka_unit_test(sides_are_symmetric),
		cmocka_unit_test(ignores_what_runs_and_builds_change),
		cmocka_unit_test(ignores_the_access_of_a_known_variable),
		cmocka_unit_test(function_names),
		cmocka_unit_test(variables),
		cmocka_unit_test(objects),
		cmocka_unit_test(callers_and_text_tell_unnamed_objects_apart),
		cmocka_unit_test(sensitive),
		cmocka_unit_test(without_symbols),
		cmocka_unit_test(locks_count_in_deadlocks),
		cmocka_unit_test(no_collisions),
	};

	return cmocka_run_group_tests_name("model/fingerprint", tests, NULL, NULL);
}
