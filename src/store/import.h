/* Reading the canonical JSON ("deadheat-findings/1") that reports write, also from other machines.
 * The text is untrusted: whatever does not fit is refused with the path to it. */
#pragma once
#include "base/forward.h"

struct dh_findings;

/* Appends the findings, sealed.  Fields that are not known are ignored: later versions add some.
 * -EBADMSG: not such a document, or a field of the wrong type (where: in err); -EPROTO: another
 * version of it.  Nothing is appended then. */
int dh_import_json(const char *text, size_t n, struct dh_findings *ret, struct dh_error *err);
