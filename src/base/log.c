#include "base/log.h"

#include <stdarg.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/progress.h"

static enum dh_log_level max_level = DH_LOG_INFO;

static const char *const prefix[] = {
	[DH_LOG_ERROR] = "deadheat: error: ",
	[DH_LOG_WARN] = "deadheat: warning: ",
	[DH_LOG_INFO] = "deadheat: ",
	[DH_LOG_DEBUG] = "deadheat: debug: ",
};

void dh_log_set_level(enum dh_log_level max)
{
	max_level = max;
}

enum dh_log_level dh_log_level(void)
{
	return max_level;
}

void dh_log(enum dh_log_level level, const char *fmt, ...)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	va_list ap;

	if (level > max_level)
		return;
	dh_progress_hide();
	dh_buf_adds(&b, prefix[level]);
	va_start(ap, fmt);
	dh_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	dh_buf_addc(&b, '\n');
	dh_write_full(STDERR_FILENO, b.data, b.len);
}
