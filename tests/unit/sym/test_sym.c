/* Usage: test_sym KIND TARGET, KIND one of "full" (debug information), "stripped". */
#include "../unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "isa/regs.h"
#include "sym/sym.h"
#include "sym/unwind.h"
#include "sym/var.h"
#include "target.h"

static const char *path;
static bool full;
static struct target target;
static struct dh_sym *sym;

static int start(void **state)
{
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	target_start(&target, path);
	sym = dh_sym_new();
	return dh_sym_set_process(sym, target.pid, &err);
}

static int stop(void **state)
{
	(void)state;
	dh_sym_free(sym);
	target_stop(&target);
	return 0;
}

static void knows_the_modules(void **state)
{
	const struct dh_sym_module *m = dh_sym_module_at(sym, target_addr(&target, "main"));
	bool libc = false;

	(void)state;
	assert_non_null(m);
	assert_string_equal(m->path, path);
	assert_true(m->has_symbols);
	assert_ptr_equal(m, dh_sym_module_at(sym, target_addr(&target, "table")));
	assert_true(m->build_id == NULL || strlen(m->build_id) == 40);
	for (size_t i = 0; i < dh_sym_n_modules(sym); i++)
		libc |= strstr(dh_sym_module(sym, i)->path, "libc.so") != NULL;
	assert_true(libc);
	assert_null(dh_sym_module(sym, dh_sym_n_modules(sym)));
	assert_null(dh_sym_module_at(sym, 1));
}

static void functions_and_lines(void **state)
{
	uint64_t addr = target_addr(&target, "main");
	struct dh_stack at = dh_sym_frames(sym, addr);
	const struct dh_sym_module *m = dh_sym_module_at(sym, addr);

	(void)state;
	assert_int_equal(at.n, 1);
	assert_string_equal(at.frames[0].module, path);
	assert_int_equal(at.frames[0].offset, addr - m->bias);
	assert_false(at.frames[0].inlined);
	if (!full) {
		assert_null(at.frames[0].function);
		assert_null(at.frames[0].file);
		assert_int_equal(at.frames[0].line, 0);
		return;
	}
	assert_string_equal(at.frames[0].function, "main");
	assert_true(strstr(at.frames[0].file, "target.c") != NULL);
	assert_true(at.frames[0].line > 10);
	assert_ptr_equal(dh_sym_frames(sym, addr).frames, at.frames); /* remembered */
}

static void inlined_calls(void **state)
{
	struct dh_stack at = dh_sym_frames(sym, target_addr(&target, "inlined"));

	(void)state;
	if (!full) {
		assert_int_equal(at.n, 1);
		return;
	}
	assert_int_equal(at.n, 3);
	assert_string_equal(at.frames[0].function, "innermost");
	assert_string_equal(at.frames[1].function, "middle");
	assert_string_equal(at.frames[2].function, "outer");
	assert_true(at.frames[0].inlined && at.frames[1].inlined && !at.frames[2].inlined);
	assert_int_equal(at.frames[2].line, target_line(&target, "inlined"));
	assert_true(at.frames[0].line < at.frames[1].line && at.frames[1].line < at.frames[2].line);
	assert_true(at.frames[2].column > 0);
}

static void bounds(void **state)
{
	uint64_t addr = target_addr(&target, "outer");
	struct dh_sym_function f;

	(void)state;
	/* Without symbols, the unwind tables know. */
	assert_int_equal(dh_sym_function(sym, addr, &f), 0);
	assert_int_equal(f.start, addr);
	assert_true(f.end > addr + 8 && f.end < addr + 4096);
	for (uint64_t at = addr; at < f.end; at++) {
		struct dh_sym_function same;

		assert_int_equal(dh_sym_function(sym, at, &same), 0);
		assert_memory_equal(&same, &f, sizeof(f));
	}
	if (full)
		assert_string_equal(f.name, "outer");
	else
		assert_null(f.name);
	assert_true(dh_sym_function(sym, 1, &f) < 0);
}

static void names_to_addresses(void **state)
{
	uint64_t addr, size;
	char name[64];

	(void)state;
	assert_true(dh_sym_address(sym, "no_such_name", &addr, NULL) < 0);
	/* A function of the C library, with its version left out, and one that sanitizers leave
	 * alone. */
	assert_int_equal(dh_sym_address(sym, "lfind", &addr, &size), 0);
	assert_string_equal(dh_sym_frames(sym, addr).frames[0].function, "lfind");
	assert_true(dh_sym_address(sym, "no_such.so:lfind", &addr, NULL) < 0);
	assert_int_equal(dh_sym_address(sym, "libc.so.6:lfind", &addr, NULL), 0);
	if (!full) {
		assert_true(dh_sym_address(sym, "outer", &addr, NULL) < 0);
		return;
	}
	assert_int_equal(dh_sym_address(sym, "outer", &addr, &size), 0);
	assert_int_equal(addr, target_addr(&target, "outer"));
	assert_true(size > 8);
	assert_int_equal(dh_sym_address(sym, "table", &addr, &size), 0);
	assert_int_equal(addr, target_addr(&target, "table"));
	assert_true(size >= 320); /* sanitizers put space behind it */
	snprintf(name, sizeof(name), "%s:counter", strrchr(path, '/') + 1);
	assert_int_equal(dh_sym_address(sym, name, &addr, NULL), 0); /* a static one */
	assert_int_equal(addr, target_addr(&target, "counter"));
}

static void variables(void **state)
{
	static const struct {
		const char *name, *type, *object;
		uint32_t size;
	} row[] = {
		{"counter", "volatile int", "counter", 4},
		{"table[3].id", "int", "table", 4},
		{"table[4].in.text[2]", "char", "table", 1},
		{"table[9].next", "struct node *", "table", 8},
		{"matrix[2][1][3]", "int", "matrix", 4},
		{"label", "const char *volatile", "label", 8},
		{"hits", "int", "hits", 4},
	};
	struct dh_sym_variable v;

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(row); i++) {
		uint64_t addr = target_addr(&target, row[i].name);

		if (!full) {
			assert_true(dh_sym_variable(sym, addr, &v) < 0);
			continue;
		}
		assert_int_equal(dh_sym_variable(sym, addr, &v), 0);
		assert_string_equal(v.name, row[i].name);
		assert_string_equal(v.object, row[i].object);
		assert_int_equal(v.start, addr);
		assert_int_equal(v.size, row[i].size);
		assert_true(strstr(v.file, "target.c") && v.line > 10);
		assert_string_equal(v.module, path);
		assert_string_equal(v.type, row[i].type);
	}
	assert_true(dh_sym_variable(sym, 1, &v) < 0);
	if (!full)
		return;
	assert_int_equal(dh_sym_variable(sym, target_addr(&target, "hits"), &v), 0);
	assert_string_equal(v.function, "remembered");
	assert_int_equal(dh_sym_variable(sym, target_addr(&target, "table[3].id") + 2, &v), 0);
	assert_string_equal(v.name, "table[3].id+0x2");
	assert_int_equal(v.object_size, 320);
}

static int read_target(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct iovec local = {ret, n}, remote = {(void *)(uintptr_t)addr, n};

	(void)arg;
	return process_vm_readv(target.pid, &local, 1, &remote, 1, 0) == (ssize_t)n ? 0 : -14;
}

static void fetch_regs(uint64_t regs[DH_UNWIND_REGS])
{
	struct dh_regs r;
	int status;

	assert_int_equal(ptrace(PTRACE_SEIZE, target.pid, NULL, NULL), 0);
	/* Until it is in its last system call. */
	for (int i = 0; i < 200; i++) {
		assert_int_equal(ptrace(PTRACE_INTERRUPT, target.pid, NULL, NULL), 0);
		assert_int_equal(waitpid(target.pid, &status, 0), target.pid);
		assert_int_equal(ptrace(PTRACE_GETREGS, target.pid, NULL, &r), 0);
		if (dh_regs_syscall(&r) == 0 && dh_regs_arg(&r, 0) == 0)
			break;
		if (WSTOPSIG(status) != SIGTRAP)
			ptrace(PTRACE_CONT, target.pid, NULL, WSTOPSIG(status));
		else
			ptrace(PTRACE_CONT, target.pid, NULL, NULL);
		usleep(10000);
	}
	dh_regs_dwarf(&r, regs);
}

/* Index of the frame of that function at or after from; fails when there is none. */
static size_t find_frame(const struct dh_stack *st, size_t from, const char *function)
{
	for (size_t i = from; i < st->n; i++) {
		if (st->frames[i].function && strcmp(st->frames[i].function, function) == 0)
			return i;
	}
	fail_msg("no frame of %s from %zu on", function, from);
	return 0;
}

static void unwinds(void **state)
{
	static const char *const order[] = {
		"on_signal", "deepest", "deeper", "deeper", "deeper", "deeper", "main"};
	struct dh_unwind_frame frames[DH_UNWIND_MAX_FRAMES];
	uint64_t regs[DH_UNWIND_REGS];
	struct dh_arena arena = DH_ARENA_INIT;
	struct dh_stack st;
	size_t n, at = 0;

	(void)state;
	fetch_regs(regs);
	n = dh_sym_unwind(sym, regs, read_target, NULL, frames, DH_ARRAY_SIZE(frames));
	assert_true(n > 10 && n < 30);
	assert_int_equal(frames[0].pc, regs[DH_UNWIND_REGS - 1]);
	assert_false(frames[0].is_return);
	assert_int_equal(dh_sym_unwind(sym, regs, read_target, NULL, frames, 3), 3);
	assert_int_equal(dh_sym_unwind(sym, regs, read_target, NULL, frames, 0), 0);
	n = dh_sym_unwind(sym, regs, read_target, NULL, frames, DH_ARRAY_SIZE(frames));
	st = dh_sym_stack(sym, frames, n, &arena);
	assert_true(st.n >= n);
	for (size_t i = 0; full && i < DH_ARRAY_SIZE(order); i++)
		at = find_frame(&st, at, order[i]) + 1;
	dh_arena_release(&arena);
}

static int read_nothing(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg, (void)addr, (void)ret, (void)n;
	return -14;
}

/* Noise, as memory of any length gives it. */
static int read_noise(void *arg, uint64_t addr, void *ret, size_t n)
{
	uint64_t *x = arg;

	for (size_t i = 0; i < n; i++) {
		*x = *x * 6364136223846793005u + 1442695040888963407u;
		((uint8_t *)ret)[i] = (uint8_t)(*x >> 40);
	}
	if (n == 8 && addr % 3 == 0) /* often something that looks like code */
		*(uint64_t *)ret = target_addr(&target, "main") + *x % 64;
	return 0;
}

static void unwinds_whatever_memory_says(void **state)
{
	struct dh_unwind_frame frames[DH_UNWIND_MAX_FRAMES];
	uint64_t regs[DH_UNWIND_REGS] = {0}, x = 1;

	(void)state;
	assert_int_equal(dh_sym_unwind(sym, regs, read_nothing, NULL, frames, 16), 1);
	for (int i = 0; i < 300; i++) {
		for (int k = 0; k < DH_UNWIND_REGS; k++)
			read_noise(&x, 0, &regs[k], 8);
		regs[DH_UNWIND_REGS - 1] = target_addr(&target, "outer") + (uint64_t)i;
		assert_true(dh_sym_unwind(sym, regs, read_noise, &x, frames, 64) >= 1);
		assert_true(dh_sym_unwind(sym, regs, read_nothing, NULL, frames, 64) >= 1);
	}
}

static void maps_may_change(void **state)
{
	uint64_t addr = target_addr(&target, "main");
	const struct dh_sym_module m = *dh_sym_module_at(sym, addr);
	struct dh_sym_mapping one = {m.start, m.start + 4096, 0, path, NULL};
	struct dh_sym_mapping gone = {m.start, m.end, 0, "/no/such/file", NULL};
	struct dh_stack before = dh_sym_frames(sym, addr), after;
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	/* Nothing known: the bare address. */
	assert_int_equal(dh_sym_set_mappings(sym, NULL, 0), 0);
	after = dh_sym_frames(sym, addr);
	assert_int_equal(after.n, 1);
	assert_null(after.frames[0].module);
	assert_int_equal(after.frames[0].offset, addr);
	/* A file that cannot be read: the name and an offset. */
	assert_int_equal(dh_sym_set_mappings(sym, &gone, 1), 0);
	after = dh_sym_frames(sym, addr);
	assert_string_equal(after.frames[0].module, "/no/such/file");
	assert_int_equal(after.frames[0].offset, addr - m.start);
	assert_false(dh_sym_module_at(sym, addr)->has_symbols);
	/* One mapping is enough to place the whole module; more modules come later. */
	assert_int_equal(dh_sym_set_mappings(sym, &one, 1), 0);
	after = dh_sym_frames(sym, addr);
	assert_int_equal(after.frames[0].offset, before.frames[0].offset);
	assert_int_equal(after.frames[0].line, before.frames[0].line);
	assert_int_equal(dh_sym_set_process(sym, target.pid, &err), 0);
	assert_ptr_equal(dh_sym_frames(sym, addr).frames[0].function, before.frames[0].function);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_the_modules),
		cmocka_unit_test(functions_and_lines),
		cmocka_unit_test(inlined_calls),
		cmocka_unit_test(bounds),
		cmocka_unit_test(names_to_addresses),
		cmocka_unit_test(variables),
		cmocka_unit_test(unwinds),
		cmocka_unit_test(unwinds_whatever_memory_says),
		cmocka_unit_test(maps_may_change),
	};
	if (argc != 3)
		return 2;
	full = strcmp(argv[1], "full") == 0;
	path = realpath(argv[2], NULL);
	return cmocka_run_group_tests(tests, start, stop);
}
