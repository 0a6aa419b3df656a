/* Events of checkpoints: what is put in comes out again, and no cut payload is taken for whole. */
#include "../unit.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "trace/call.h"
#include "trace/event.h"
#include "trace/reader.h"

static const uint8_t bytes[] = {1, 2, 3, 0, 255};

static struct dh_trace_event event_of(const struct dh_buf *b, size_t len)
{
	return (struct dh_trace_event){.data = (const uint8_t *)b->data, .len = len};
}

static void test_checkpoint(void **state)
{
	const struct dh_ev_checkpoint e = {.root_pid = 77, .root_status = -1, .n_tasks = 300};
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_ev_checkpoint got;
	struct dh_trace_event ev;

	(void)state;
	dh_ev_put_checkpoint(&b, &e);
	for (size_t n = 0; n < b.len; n++) {
		ev = event_of(&b, n);
		assert_int_equal(dh_ev_get_checkpoint(&ev, &got), -EBADMSG);
	}
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_checkpoint(&ev, &got), 0);
	assert_int_equal(got.root_pid, 77);
	assert_int_equal(got.root_status, -1);
	assert_int_equal(got.n_tasks, 300);
}

static void test_process(void **state)
{
	uint8_t actions[DH_EV_ACTIONS * DH_EV_ACTION_SIZE];
	const struct dh_ev_vma v = {.start = 0x1000, .end = 0x3000, .prot = 3, .key = 9};
	DH_BUF struct dh_buf b = DH_BUF_INIT, vmas = DH_BUF_INIT;
	struct dh_ev_process e = {.pid = 5, .mm = 1ull << 40, .ppid = 4, .command = "a b"}, got;
	struct dh_trace_event ev;
	struct dh_ev_vma seen;

	(void)state;
	memset(actions, 0xa5, sizeof(actions));
	dh_ev_put_vma(&vmas, &v);
	e.actions = actions;
	e.stack = 0x7ffc0000;
	e.stack_soft = 8 << 20;
	e.stack_hard = UINT64_MAX;
	e.vma_data = (uint8_t *)vmas.data;
	e.vma_len = vmas.len;
	dh_ev_put_process(&b, &e);
	for (size_t n = 0; n < b.len; n++) {
		ev = event_of(&b, n);
		assert_int_equal(dh_ev_get_process(&ev, &got), -EBADMSG);
	}
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_process(&ev, &got), 0);
	assert_int_equal(got.mm, 1ull << 40);
	assert_int_equal(got.stack_hard, UINT64_MAX);
	assert_string_equal(got.command, "a b");
	assert_memory_equal(got.actions, actions, sizeof(actions));
	assert_int_equal(dh_ev_next_vma(&got.vma_data, got.vma_data + got.vma_len, &seen), 1);
	assert_int_equal(seen.end, 0x3000);
	assert_int_equal(seen.key, 9);
}

static void test_memory(void **state)
{
	const struct dh_ev_memory e = {.key = 3, .size = 4096};
	DH_BUF struct dh_buf b = DH_BUF_INIT, writes = DH_BUF_INIT;
	struct dh_ev_memory got;
	struct dh_trace_event ev;
	struct dh_ev_write w;

	(void)state;
	dh_ev_put_write(&writes, 100, bytes, sizeof(bytes));
	dh_ev_put_memory(&b, &e, &writes, 1);
	ev = event_of(&b, b.len - 1);
	assert_int_equal(dh_ev_get_memory(&ev, &got), 0);
	assert_int_equal(dh_ev_next_write(&got.writes, &w), -EBADMSG);
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_memory(&ev, &got), 0);
	assert_int_equal(got.key, 3);
	assert_int_equal(got.size, 4096);
	assert_int_equal(dh_ev_next_write(&got.writes, &w), 1);
	assert_int_equal(w.addr, 100);
	assert_memory_equal(w.data, bytes, sizeof(bytes));
	assert_int_equal(dh_ev_next_write(&got.writes, &w), 0);
}

static void test_task(void **state)
{
	struct dh_ev_task e = {.tid = 8, .pid = 7, .name = "worker", .mask = 1ull << 63}, got;
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_trace_event ev;

	(void)state;
	e.xstate = bytes;
	e.xstate_len = sizeof(bytes);
	e.altstack[2] = 65536;
	e.clear_tid = 0x1234;
	e.regs.word[3] = 42;
	dh_ev_put_task(&b, &e);
	for (size_t n = 0; n < b.len; n++) {
		ev = event_of(&b, n);
		assert_int_equal(dh_ev_get_task(&ev, &got), -EBADMSG);
	}
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_task(&ev, &got), 0);
	assert_false(got.ended);
	assert_int_equal(got.mask, 1ull << 63);
	assert_int_equal(got.altstack[2], 65536);
	assert_int_equal(got.clear_tid, 0x1234);
	assert_int_equal(got.regs.word[3], 42);
	assert_int_equal(got.xstate_len, sizeof(bytes));
	assert_memory_equal(got.xstate, bytes, sizeof(bytes));
	assert_string_equal(got.name, "worker");
}

static void test_ended_task(void **state)
{
	const struct dh_ev_task e = {.tid = 8, .pid = 7, .ended = true, .name = ""};
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_trace_event ev;
	struct dh_ev_task got;

	(void)state;
	dh_ev_put_task(&b, &e);
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_task(&ev, &got), 0);
	assert_true(got.ended);
	assert_int_equal(got.pid, 7);
}

static void test_call(void **state)
{
	const struct dh_ev_call e = {.nr = 82,
		.arg = {1, 2, 3, 4, 5, UINT64_MAX},
		.result = -2,
		.entered = 99,
		.value = 12,
		.text = "words",
		.n_refs = 2,
		.refs = {
			{.role = DH_REF_PATH, .fd = -1, .mode = 0100644, .path = "/a", .given = ""},
			{.role = DH_REF_FD2, .fd = 7, .ino = 5, .path = "", .given = "/l/a"}}};
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	struct dh_trace_event ev;
	struct dh_ev_call got;

	(void)state;
	dh_ev_put_call(&b, &e);
	for (size_t n = 0; n < b.len; n++) {
		ev = event_of(&b, n);
		assert_int_equal(dh_ev_get_call(&ev, &got), -EBADMSG);
	}
	ev = event_of(&b, b.len);
	assert_int_equal(dh_ev_get_call(&ev, &got), 0);
	assert_int_equal(got.nr, 82);
	assert_true(got.arg[5] == UINT64_MAX);
	assert_int_equal(got.result, -2);
	assert_int_equal(got.entered, 99);
	assert_string_equal(got.text, "words");
	assert_int_equal(dh_ev_call_ref(&got, DH_REF_PATH)->mode, 0100644);
	assert_string_equal(dh_ev_call_ref(&got, DH_REF_FD2)->given, "/l/a");
	assert_int_equal(dh_ev_call_ref(&got, DH_REF_FD2)->fd, 7);
	assert_null(dh_ev_call_ref(&got, DH_REF_NEW));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checkpoint),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_task),
		cmocka_unit_test(test_ended_task),
		cmocka_unit_test(test_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
