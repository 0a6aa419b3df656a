/* The names of kinds and levels, and the rules of the ladder. */
#include "model/finding.h"
#include "model/names.h"

static const char *const kind_names[] = {
	[DH_KIND_DATA_RACE] = "data-race",
	[DH_KIND_DEADLOCK] = "deadlock",
	[DH_KIND_LOCK_MISUSE] = "lock-misuse",
	[DH_KIND_BLOCKING_IN_ATOMIC] = "blocking-in-atomic",
	[DH_KIND_ATOMICITY_VIOLATION] = "atomicity-violation",
	[DH_KIND_SIGNAL_RACE] = "signal-race",
	[DH_KIND_PROCESS_RACE] = "process-race",
	[DH_KIND_ORDER_VIOLATION] = "order-violation",
	[DH_KIND_COUNT] = NULL,
};

static const char *const level_names[] = {
	[DH_LEVEL_PREDICTED] = "predicted",
	[DH_LEVEL_REFUTED] = "refuted",
	[DH_LEVEL_OBSERVED] = "observed",
	[DH_LEVEL_CONFIRMED] = "confirmed",
	[DH_LEVEL_BENIGN] = "benign",
	[DH_LEVEL_HARMFUL] = "harmful",
	[DH_LEVEL_EXPLAINED] = "explained",
	[DH_LEVEL_COUNT] = NULL,
};

static const char *const step_names[] = {
	[DH_STEP_ACCESS] = "access",
	[DH_STEP_LOCK] = "lock",
	[DH_STEP_UNLOCK] = "unlock",
	[DH_STEP_WAIT] = "wait",
	[DH_STEP_WAKE] = "wake",
	[DH_STEP_SIGNAL] = "signal",
	[DH_STEP_SYSCALL] = "syscall",
	[DH_STEP_CREATE] = "create",
	[DH_STEP_EXIT] = "exit",
	[DH_STEP_FAILURE] = "failure",
	[DH_STEP_COUNT] = NULL,
};

static const unsigned char urgency[] = {
	[DH_LEVEL_REFUTED] = 0,
	[DH_LEVEL_BENIGN] = 1,
	[DH_LEVEL_PREDICTED] = 2,
	[DH_LEVEL_OBSERVED] = 3,
	[DH_LEVEL_CONFIRMED] = 4,
	[DH_LEVEL_HARMFUL] = 5,
	[DH_LEVEL_EXPLAINED] = 6,
};

const char *dh_kind_name(enum dh_kind kind)
{
	return kind_names[kind];
}

const char *const *dh_kind_names(void)
{
	return kind_names;
}

int dh_kind_parse(const char *name)
{
	return dh_names_find(kind_names, name);
}

const char *dh_level_name(enum dh_level level)
{
	return level_names[level];
}

const char *const *dh_level_names(void)
{
	return level_names;
}

int dh_level_parse(const char *name)
{
	return dh_names_find(level_names, name);
}

const char *dh_step_kind_name(enum dh_step_kind kind)
{
	return step_names[kind];
}

int dh_step_kind_parse(const char *name)
{
	return dh_names_find(step_names, name);
}

unsigned dh_level_urgency(enum dh_level level)
{
	return urgency[level];
}

bool dh_level_is_open(enum dh_level level)
{
	return level != DH_LEVEL_BENIGN && level != DH_LEVEL_REFUTED;
}

bool dh_level_needs_command(enum dh_level level)
{
	return level >= DH_LEVEL_CONFIRMED;
}
