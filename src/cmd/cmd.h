/* The subcommands.  Each file in this folder holds one: its options, its help, its wiring.
 * argv[0] is the command's name.  The return value is the exit status. */
#pragma once
#include "base/forward.h"

enum dh_exit {
	DH_EXIT_OK = 0,       /* nothing at or above the chosen level */
	DH_EXIT_FINDINGS = 1, /* findings */
	DH_EXIT_USAGE = 2,    /* wrong usage */
	DH_EXIT_FAILED = 3,   /* could not run, and said why */
};

int dh_cmd_cc(int argc, char **argv);
int dh_cmd_cxx(int argc, char **argv);
int dh_cmd_doctor(int argc, char **argv);
int dh_cmd_explore(int argc, char **argv);
int dh_cmd_fuzz(int argc, char **argv);
int dh_cmd_record(int argc, char **argv);
int dh_cmd_replay(int argc, char **argv);
int dh_cmd_report(int argc, char **argv);
int dh_cmd_scan(int argc, char **argv);

/* gdb on the replay of a recording (replay.c): a process of it, 0 for the first, and arguments for
 * gdb, NULL-terminated.  gdb's exit status, or -errno with words. */
int dh_replay_gdb(const char *dir, uint32_t pid, char *const *args, struct dh_error *err);

/* Whether this build has a command of that name (main.c). */
bool dh_command_exists(const char *name, size_t len);
