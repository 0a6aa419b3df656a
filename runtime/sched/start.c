#include "sched/sched.h"

#include "deadheat.h"

struct dh_sched_ctl *dh_ctl;
bool dh_active;
uint8_t dh_watch[DH_WATCH_SIZE];
DH_TLS struct dh_thread *dh_self;

DH_EXPORT const char *deadheat_runtime(void)
{
	return "sched";
}
