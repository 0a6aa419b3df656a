/* Events of a recording as text for people, one line each. */
#pragma once
#include "base/forward.h"

struct dh_trace_event;

void dh_dump_event(const struct dh_trace_event *ev, struct dh_buf *out);
