/* Lines of scripts that a command or a name comes from: sure only when there is one, word for word.
 */
#include "../unit.h"

#include "explore/script.h"

static const char script[] =
	"# mv a b\n"                                                                 /* 1 */
	"renew() { rm -f db; mv db.new db; }\n"                                      /* 2 */
	"if [ -e x ] && /bin/cat 'x y'; then :\n"                                    /* 3 */
	"(sleep 0.1; cat \"$1\" 2> err) || exit\n"                                   /* 4 */
	"LANG=C exec grep -q a <in >out.txt\n"                                       /* 5 */
	"touch one\n"                                                                /* 6 */
	"touch one\n"                                                                /* 7 */
	"echo hi >> dir/log; date > other.log\n"                                     /* 8 */
	"\t@cc -o prog prog.c && ./prog\n" /* 9 */ "\tsleep 1; $(CC) -c $< -o $@\n"; /* 10 */

static void commands(void **state)
{
	static const struct {
		const char *command;
		uint32_t n, line;
		bool exact;
	} cases[] = {
		{"rm -f db", 1, 2, true},
		{"/usr/bin/mv db.new db", 1, 2, true},
		{"mv a b", 0, 0, false}, /* a comment */
		{"cat x y", 1, 3, true},
		{"cat file", 1, 4, false},
		{"cat", 1, 4, false},
		{"grep -q a", 1, 5, true},
		{"touch one", 2, 6, false},
		{"touch", 0, 0, false},
		{"sh -c cc -o prog prog.c && ./prog", 1, 9, true},
		{"./prog", 1, 9, true},
		{"/bin/sh -c sleep 1; gcc -O2 -c a.c -o a.o", 1, 10, false},
		{"/bin/sh -c sleep 2; gcc -O2 -c a.c -o a.o", 0, 0, false},
		{"", 0, 0, false},
	};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(cases); i++) {
		struct dh_script_lines found;

		dh_script_find_command(script, cases[i].command, &found);
		if (found.n != cases[i].n || found.exact != cases[i].exact ||
			(found.n && found.line[0] != cases[i].line))
			fail_msg("'%s': %u lines, first %u, exact %d", cases[i].command, found.n,
				found.n ? found.line[0] : 0, found.exact);
	}
}

static void names(void **state)
{
	static const struct {
		const char *name;
		bool to;
		uint32_t n, line;
	} cases[] = {
		{"log", true, 1, 8},
		{"log", false, 1, 8}, /* other.log is another one */
		{"db", false, 1, 2},
		{"db", true, 0, 0},
		{"out.txt", true, 1, 5},
		{"err", true, 1, 4},
		{"one", false, 2, 6},
	};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(cases); i++) {
		struct dh_script_lines found;

		dh_script_find_name(script, cases[i].name, cases[i].to, &found);
		if (found.n != cases[i].n || (found.n && found.line[0] != cases[i].line))
			fail_msg("'%s': %u lines, first %u", cases[i].name, found.n,
				found.n ? found.line[0] : 0);
		assert_false(found.exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(commands), cmocka_unit_test(names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
