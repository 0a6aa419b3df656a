#include "../unit.h"

#include <errno.h>

#include "store/codec.h"

#include "helper.h"

static void assert_strings(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_ptr_equal(a, b);
}

static void assert_frames(const struct dh_frame *a, const struct dh_frame *b)
{
	assert_strings(a->function, b->function);
	assert_strings(a->file, b->file);
	assert_strings(a->module, b->module);
	assert_strings(a->build_id, b->build_id);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->column, b->column);
	assert_int_equal(a->offset, b->offset);
	assert_int_equal(a->inlined, b->inlined);
}

static void assert_stacks(const struct dh_stack *a, const struct dh_stack *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++)
		assert_frames(&a->frames[i], &b->frames[i]);
}

static void assert_sites(const struct dh_site *a, const struct dh_site *b)
{
	assert_strings(a->role, b->role);
	assert_strings(a->who, b->who);
	assert_strings(a->order, b->order);
	assert_strings(a->text, b->text);
	assert_frames(&a->at, &b->at);
	assert_int_equal(a->access.kind, b->access.kind);
	assert_int_equal(a->access.size, b->access.size);
	assert_int_equal(a->access.atomic, b->access.atomic);
	assert_int_equal(a->access.has_values, b->access.has_values);
	assert_int_equal(a->access.before, b->access.before);
	assert_int_equal(a->access.after, b->access.after);
	assert_int_equal(a->n_locks, b->n_locks);
	for (size_t i = 0; i < a->n_locks; i++)
		assert_strings(a->locks[i], b->locks[i]);
	assert_stacks(&a->stack, &b->stack);
	assert_stacks(&a->created, &b->created);
}

static void assert_findings(const struct dh_finding *a, const struct dh_finding *b)
{
	assert_strings(a->title, b->title);
	assert_strings(a->variable, b->variable);
	assert_strings(a->object, b->object);
	assert_strings(a->schedule, b->schedule);
	assert_strings(a->mend, b->mend);
	assert_strings(a->failure.what, b->failure.what);
	assert_strings(a->failure.detail, b->failure.detail);
	assert_int_equal(a->failure.status, b->failure.status);
	assert_true(a->score == b->score);
	assert_stacks(&a->allocated, &b->allocated);
	assert_int_equal(a->n_reasons, b->n_reasons);
	for (size_t i = 0; i < a->n_reasons; i++)
		assert_strings(a->reasons[i], b->reasons[i]);
	assert_int_equal(a->n_sites, b->n_sites);
	for (size_t i = 0; i < a->n_sites; i++)
		assert_sites(&a->sites[i], &b->sites[i]);
	assert_int_equal(a->n_steps, b->n_steps);
	for (size_t i = 0; i < a->n_steps; i++) {
		assert_strings(a->steps[i].lane, b->steps[i].lane);
		assert_strings(a->steps[i].label, b->steps[i].label);
		assert_strings(a->steps[i].file, b->steps[i].file);
		assert_int_equal(a->steps[i].kind, b->steps[i].kind);
		assert_int_equal(a->steps[i].line, b->steps[i].line);
		assert_int_equal(a->steps[i].site, b->steps[i].site);
	}
}

/* Every field set to something, so that a forgotten row in the tables shows. */
static struct dh_finding *full(void)
{
	static const char *locks[] = {"m", "", "m"};
	struct dh_frame frames[] = {
		{.function = "f",
			.file = "a.c",
			.line = 1,
			.column = 2,
			.module = "prog",
			.build_id = "ab",
			.offset = UINT64_MAX,
			.inlined = true},
		{.function = "g", .file = "a.c", .line = UINT32_MAX},
	};
	struct dh_site site = {.role = "first",
		.at = frames[0],
		.text = "x = 1; /* \xff */",
		.access = {DH_ACCESS_UPDATE, 8, true, true, 5, UINT64_MAX},
		.who = "thread 1",
		.locks = locks,
		.n_locks = 3,
		.stack = {frames, 2},
		.created = {frames + 1, 1},
		.order = "runs first"};
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);

	dh_finding_set_title(f, "title");
	f->variable = "v";
	f->object = "";
	dh_stack_copy(&f->arena, &f->allocated, &site.stack);
	f->score = -2.5;
	dh_finding_add_reason(f, "one");
	dh_finding_add_reason(f, "two");
	for (int i = 0; i < 3; i++)
		dh_finding_add_site(f, &site);
	dh_finding_add_step(f, &(struct dh_step){"thread 1", DH_STEP_FAILURE, "dies", "a.c", 3, 2});
	dh_finding_add_step(f, &(struct dh_step){.lane = "thread 2", .site = -1});
	f->failure = (struct dh_failure){"crash", "SIGSEGV", -1};
	f->schedule = "1,2,1";
	f->mend = "Lock it.";
	return f;
}

static void round_trip(const struct dh_finding *f)
{
	struct dh_finding *g = dh_finding_new(f->kind);
	struct dh_buf b = DH_BUF_INIT, again = DH_BUF_INIT;

	dh_codec_encode(f, &b);
	assert_int_equal(dh_codec_decode(b.data, b.len, g), 0);
	assert_findings(f, g);
	dh_codec_encode(g, &again);
	assert_int_equal(b.len, again.len);
	assert_memory_equal(b.data, again.data, b.len);
	dh_buf_release(&b);
	dh_buf_release(&again);
	dh_finding_free(g);
}

static void keeps_every_field(void **state)
{
	struct dh_finding *f = full();

	(void)state;
	round_trip(f);
	dh_finding_free(f);
	f = dh_finding_new(DH_KIND_DEADLOCK);
	round_trip(f);
	dh_finding_free(f);
}

static void random_findings(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (uint64_t i = 0; i < 500; i++) {
		struct dh_finding *f = gen_finding(i, &seed);

		/* More strings than the table of repeated ones holds, and longer than the buffer.
		 */
		for (uint64_t k = 0; k < i % 100; k++)
			dh_finding_add_reason(
				f, "%0*llu", (int)(k * 40 + 1), (unsigned long long)k);
		round_trip(f);
		dh_finding_free(f);
	}
}

/* What was decoded can grow further. */
static void decoded_arrays_grow(void **state)
{
	struct dh_finding *f = full(), *g = dh_finding_new(f->kind);
	struct dh_buf b = DH_BUF_INIT;

	(void)state;
	dh_codec_encode(f, &b);
	assert_int_equal(dh_codec_decode(b.data, b.len, g), 0);
	for (int i = 0; i < 20; i++) {
		dh_finding_add_site(f, &f->sites[0]);
		dh_finding_add_site(g, &g->sites[0]);
		dh_finding_add_reason(f, "%d", i);
		dh_finding_add_reason(g, "%d", i);
	}
	assert_findings(f, g);
	dh_buf_release(&b);
	dh_finding_free(f);
	dh_finding_free(g);
}

static void refuses_damage(void **state)
{
	struct dh_finding *f = full();
	struct dh_buf b = DH_BUF_INIT;
	uint64_t seed = 3;

	(void)state;
	dh_codec_encode(f, &b);
	for (size_t n = 0; n < b.len; n++) {
		struct dh_finding *g = dh_finding_new(f->kind);

		assert_int_equal(dh_codec_decode(b.data, n, g), -EBADMSG);
		dh_finding_free(g);
	}
	/* Changed bytes are refused or give another finding; the sanitizers watch. */
	for (int i = 0; i < 20000; i++) {
		struct dh_finding *g = dh_finding_new(f->kind);
		size_t at = gen_below(&seed, b.len);
		char old = b.data[at];

		b.data[at] = (char)gen_next(&seed);
		(void)dh_codec_decode(b.data, b.len, g);
		b.data[at] = old;
		dh_finding_free(g);
	}
	dh_buf_release(&b);
	dh_finding_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_every_field),
		cmocka_unit_test(random_findings),
		cmocka_unit_test(decoded_arrays_grow),
		cmocka_unit_test(refuses_damage),
	};

	return cmocka_run_group_tests_name("store/codec", tests, NULL, NULL);
}
