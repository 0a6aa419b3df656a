#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int dh_error_set(struct dh_error *err, int code, const char *fmt, ...)
{
	if (err) {
		va_list ap;

		va_start(ap, fmt);
		err->code = code;
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	return -code;
}

int dh_error_prefix(struct dh_error *err, int ret, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	va_list ap;
	size_t n;

	if (!err)
		return ret;
	snprintf(old, sizeof(old), "%s", dh_error_text(err, ret));
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	err->code = -ret;
	n = strlen(err->text);
	snprintf(err->text + n, sizeof(err->text) - n, ": %s", old);
	return ret;
}

const char *dh_error_text(const struct dh_error *err, int ret)
{
	if (err && err->text[0])
		return err->text;
	return strerror(ret < 0 ? -ret : ret);
}
