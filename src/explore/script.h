/* Private to this folder: which line of a script a call comes from, as far as the text tells.
 *
 * A command that a line names word for word is there for sure when no other line does.  What has
 * variables in it, and what the interpreter did itself, is a guess, which is said.  The file is
 * read as it is now; one that has another size than when it ran is not looked at.  Pure but for
 * that. */
#pragma once
#include "base/buf.h"
#include "base/forward.h"

struct dh_history;
struct dh_race;

#define DH_SCRIPT_LINES 3

struct dh_script_lines {
	uint32_t line[DH_SCRIPT_LINES]; /* from 1; the first ones that fit */
	uint32_t n;                     /* how many fit */
	bool exact;                     /* word for word */
};

/* The name of the program that a command line begins with, without its folders; ret_n bytes of it.
 */
const char *dh_script_program(const char *command, size_t *ret_n);
/* The lines of a shell script or a makefile that run this command. */
void dh_script_find_command(const char *text, const char *command, struct dh_script_lines *ret);
/* The lines that mention the name, where others follow (`to`: behind a redirection). */
void dh_script_find_name(const char *text, const char *name, bool to, struct dh_script_lines *ret);

/* Appends where the call is: "line 3 of renew.sh: rm -f db", "probably line ..."; false: not known.
 */
bool dh_script_place(
	const struct dh_history *h, const struct dh_race *r, uint32_t call, struct dh_buf *out);
