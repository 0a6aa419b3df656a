#include "model/event.h"

static const char *const names[] = {
	[DH_EVENT_ACCESS] = "access",
	[DH_EVENT_ACQUIRE] = "acquire",
	[DH_EVENT_RELEASE] = "release",
	[DH_EVENT_CREATE] = "create",
	[DH_EVENT_JOIN] = "join",
	[DH_EVENT_SIGNAL] = "signal",
	[DH_EVENT_SIGRETURN] = "sigreturn",
	[DH_EVENT_ALLOC] = "alloc",
	[DH_EVENT_FREE] = "free",
};

const char *dh_event_kind_name(enum dh_event_kind kind)
{
	return names[kind];
}

static bool writes(const struct dh_event *e)
{
	return e->access.kind == DH_ACCESS_WRITE || e->access.kind == DH_ACCESS_UPDATE;
}

bool dh_event_conflicts(const struct dh_event *a, const struct dh_event *b)
{
	if (a->kind != DH_EVENT_ACCESS || b->kind != DH_EVENT_ACCESS || a->task == b->task)
		return false;
	if (!writes(a) && !writes(b))
		return false;
	/* Subtractions, so that an access at the end of the address space does not wrap. */
	if (a->object <= b->object)
		return b->object - a->object < a->access.size;
	return a->object - b->object < b->access.size;
}
