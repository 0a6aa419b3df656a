/* The built-in retargeting tables, as text in the language of table.h. */
#pragma once

/* Locks that stand for what annotations say: accesses with them are not looked at. */
#define DH_SCAN_IGNORED_READS  "ignored-reads"
#define DH_SCAN_IGNORED_WRITES "ignored-writes"

extern const char dh_scan_profile_libc[];     /* memory, strings, files, processes */
extern const char dh_scan_profile_pthreads[]; /* pthreads, C11 threads, POSIX semaphores, signals */
extern const char dh_scan_profile_cxx[];      /* the C++ standard library */
extern const char dh_scan_profile_glib[];     /* GLib */
extern const char dh_scan_profile_linux[];    /* the Linux kernel */
