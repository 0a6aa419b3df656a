/* Messages to a person, on stderr.  Only main.c and cmd/ call the levels above debug;
 * library folders return errors instead (docs/CODING_STYLE.md). */
#pragma once
#include "base/forward.h"

enum dh_log_level { DH_LOG_ERROR, DH_LOG_WARN, DH_LOG_INFO, DH_LOG_DEBUG };

/* Messages above this level are dropped; DH_LOG_INFO at the start. */
void dh_log_set_level(enum dh_log_level max);
enum dh_log_level dh_log_level(void);

/* Each message is one write of whole lines: "deadheat: error: ...". */
void dh_log(enum dh_log_level level, const char *fmt, ...) DH_PRINTF(2, 3);

#define dh_log_error(...) dh_log(DH_LOG_ERROR, __VA_ARGS__)
#define dh_log_warn(...)  dh_log(DH_LOG_WARN, __VA_ARGS__)
#define dh_log_info(...)  dh_log(DH_LOG_INFO, __VA_ARGS__)
#define dh_log_debug(...) dh_log(DH_LOG_DEBUG, __VA_ARGS__)
