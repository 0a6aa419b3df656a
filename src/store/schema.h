/* The tables of the store and the steps from each version to the next. */
#pragma once
#include <sqlite3.h>

#include "base/forward.h"

/* "DHfs": what PRAGMA application_id holds in a findings store. */
#define DH_SCHEMA_APPLICATION 0x44486673
#define DH_SCHEMA_VERSION     3

struct dh_schema_step {
	const char *sql; /* from version i to i + 1, i being the position in the list */
};

extern const struct dh_schema_step dh_schema_steps[DH_SCHEMA_VERSION];

struct dh_schema_info {
	int64_t application, version;
	bool empty; /* no table at all */
};

/* All of these return an SQLite result code. */
int dh_schema_read(sqlite3 *db, struct dh_schema_info *ret);
/* Takes the database from its version to n, in one transaction; safe when several processes do so
 * at once.  Does nothing when it is there already. */
int dh_schema_upgrade(sqlite3 *db, const struct dh_schema_step *steps, int n);
