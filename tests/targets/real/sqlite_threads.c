/* A workload for SQLite: threads with connections of their own to one database in a shared cache,
 * and one connection that two threads share.  Checks that no row is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

#define THREADS 3
#define ROWS    3

static const char uri[] = "file:work?mode=memory&cache=shared";

static sqlite3 *open_database(void)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI |
		    SQLITE_OPEN_FULLMUTEX;
	sqlite3 *db;

	if (sqlite3_open_v2(uri, &db, flags, NULL) != SQLITE_OK)
		abort();
	return db;
}

/* Another connection may have the table locked: then once more. */
static void must(sqlite3 *db, const char *sql)
{
	int ret;

	do {
		ret = sqlite3_exec(db, sql, NULL, NULL, NULL);
	} while ((ret & 0xff) == SQLITE_LOCKED || (ret & 0xff) == SQLITE_BUSY);
	if (ret != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
		abort();
	}
}

static void *writer(void *shared)
{
	sqlite3 *db = shared ? shared : open_database();

	for (int i = 0; i < ROWS; i++)
		must(db, "INSERT INTO log (text) VALUES (hex(randomblob(8)))");
	if (!shared)
		sqlite3_close(db);
	return NULL;
}

static int on_count(void *ret, int n, char **values, char **names)
{
	(void)names;
	*(int *)ret = n == 1 && values[0] ? atoi(values[0]) : -1;
	return 0;
}

int main(void)
{
	pthread_t threads[THREADS];
	sqlite3 *db = open_database();
	int rows = 0;

	must(db, "CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)");
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, writer, i < 2 ? db : NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	sqlite3_exec(db, "SELECT count(*) FROM log", on_count, &rows, NULL);
	assert(rows == THREADS * ROWS);
	sqlite3_close(db);
	return 0;
}
