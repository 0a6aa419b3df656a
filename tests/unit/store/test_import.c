/* The canonical JSON comes back as it went out; everything else is refused with its place. */
#include "../unit.h"

#include <errno.h>

#include "model/findings.h"
#include "report/report.h"
#include "store/codec.h"
#include "store/import.h"

#include "helper.h"

#define HEAD "{\"schema\": \"deadheat-findings/1\", \"findings\": ["
#define SAID "\"evidence\": [{\"level\": \"predicted\", \"by\": \"scan\"}]"

static void assert_refused(const char *text, int code, const char *words)
{
	struct dh_findings found = DH_FINDINGS_INIT;

	assert_fails(dh_import_json(text, strlen(text), &found, err), code, words);
	assert_int_equal(found.n, 0);
	dh_findings_release(&found);
}

static void round_trip(void **state)
{
	struct dh_findings found = DH_FINDINGS_INIT, again = DH_FINDINGS_INIT;
	struct dh_buf a = DH_BUF_INIT, b = DH_BUF_INIT;
	uint64_t seed = 3;

	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		struct dh_finding *f = gen_finding(i, &seed);

		f->failure = (struct dh_failure){"crash", "SIGSEGV", 139};
		f->sites[1].access.has_values = true;
		f->sites[1].access.after = UINT64_MAX;
		dh_finding_add_step(f, &(struct dh_step){.lane = "a", .label = "b", .site = 1});
		dh_finding_add_step(f, &(struct dh_step){.kind = DH_STEP_EXIT, .site = -1});
		f->evidence[0].budget = "{\"seeds\":100,\"time\":1.5}";
		f->evidence[0].last = f->evidence[0].when + 60;
		dh_findings_add(&found, f);
	}
	assert_ok(dh_report_write(DH_REPORT_JSON, found.items, found.n, NULL, &a, err));
	assert_ok(dh_import_json(a.data, a.len, &again, err));
	assert_int_equal(again.n, found.n);
	assert_ok(dh_report_write(DH_REPORT_JSON, again.items, again.n, NULL, &b, err));
	assert_string_equal(a.data, b.data);
	for (size_t i = 0; i < found.n; i++) {
		struct dh_buf x = DH_BUF_INIT, y = DH_BUF_INIT;

		dh_codec_encode(found.items[i], &x);
		dh_codec_encode(again.items[i], &y);
		assert_int_equal(x.len, y.len);
		assert_memory_equal(x.data, y.data, x.len);
		dh_buf_release(&x);
		dh_buf_release(&y);
	}
	dh_buf_release(&a);
	dh_buf_release(&b);
	dh_findings_release(&found);
	dh_findings_release(&again);
}

static void small_documents(void **state)
{
	static const char text[] =
		HEAD "{\"kind\": \"deadlock\", \"later\": [1, 2], " SAID "}], \"new\": {}}";
	struct dh_findings found = DH_FINDINGS_INIT;

	(void)state;
	assert_ok(dh_import_json(HEAD "]}", strlen(HEAD "]}"), &found, err));
	assert_int_equal(found.n, 0);
	assert_ok(dh_import_json(text, strlen(text), &found, err));
	assert_int_equal(found.n, 1);
	assert_int_equal(found.items[0]->kind, DH_KIND_DEADLOCK);
	/* No fingerprint was given, so one is made. */
	assert_int_equal(strlen(found.items[0]->fingerprint), 32);
	assert_int_equal(strlen(found.items[0]->id), 12);
	dh_findings_release(&found);
}

static void refuses(void **state)
{
	(void)state;
	assert_refused("", EBADMSG, "not JSON");
	assert_refused("{", EBADMSG, "not JSON");
	assert_refused("[]", EBADMSG, "schema");
	assert_refused("{\"schema\": 1}", EBADMSG, "schema");
	assert_refused("{\"schema\": \"other/1\"}", EBADMSG, "schema");
	assert_refused("{\"schema\": \"deadheat-findings/2\"}", EPROTO, "deadheat-findings/2");
	assert_refused("{\"schema\": \"deadheat-findings/1\"}", EBADMSG, "findings");
	assert_refused(HEAD "1]}", EBADMSG, "finding 0");
	assert_refused(HEAD "{}]}", EBADMSG, "kind");
	assert_refused(HEAD "{\"kind\": \"race\", " SAID "}]}", EBADMSG, "kind");
	assert_refused(HEAD "{\"kind\": \"deadlock\"}]}", EBADMSG, "evidence");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"title\": [], " SAID "}]}", EBADMSG,
		"finding 0: \"title\" is not a string");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"fingerprint\": \"12\", " SAID "}]}",
		EBADMSG, "32 hex digits");
	assert_refused(HEAD "{\"kind\": \"deadlock\", " SAID "}, {\"kind\": \"deadlock\", "
			    "\"sites\": [{}, {\"line\": -1}], " SAID "}]}",
		EBADMSG, "finding 1: site 1: \"line\"");
	assert_refused(HEAD
		"{\"kind\": \"deadlock\", \"sites\": [{}], \"steps\": [{\"site\": 1}], " SAID "}]}",
		EBADMSG, "step 0: \"site\"");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"steps\": [{\"site\": 0}], " SAID "}]}",
		EBADMSG, "step 0: \"site\"");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"sites\": [{\"stack\": [7]}], " SAID "}]}",
		EBADMSG, "stack");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"sites\": [{\"locks\": [7]}], " SAID "}]}",
		EBADMSG, "locks");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"sites\": [{\"before\": \"-1\"}], " SAID
			    "}]}",
		EBADMSG, "before");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"evidence\": [{\"level\": \"confirmed\", "
			    "\"by\": \"fuzz\"}]}]}",
		EBADMSG, "reproduce");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"evidence\": [{\"level\": \"observed\", "
			    "\"by\": \"fuzz\", \"when\": \"today\"}]}]}",
		EBADMSG, "when");
	assert_refused(HEAD "{\"kind\": \"deadlock\", \"evidence\": [{\"level\": \"observed\"}]}]}",
		EBADMSG, "by");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(small_documents),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests_name("store/import", tests, make_dir, remove_dir);
}
