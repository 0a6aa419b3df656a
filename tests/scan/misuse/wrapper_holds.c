/* A function that returns with the lock held on every path is a lock function, not a mistake. */
#include <pthread.h>
#include <stdlib.h>

struct db {
	pthread_mutex_t lock;
	int rows;
};

static struct db *db_open(void)
{
	struct db *db = calloc(1, sizeof(*db));

	pthread_mutex_init(&db->lock, NULL);
	return db;
}

static void db_begin(struct db *db)
{
	pthread_mutex_lock(&db->lock); // NOMISUSE
}

static void db_end(struct db *db)
{
	pthread_mutex_unlock(&db->lock); // NOMISUSE
}

static void *worker(void *arg)
{
	db_begin(arg);
	((struct db *)arg)->rows++; // NORACE
	db_end(arg);
	return NULL;
}

int main(void)
{
	struct db *db = db_open();
	pthread_t a, b;

	pthread_create(&a, NULL, worker, db);
	pthread_create(&b, NULL, worker, db);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return db->rows; // NORACE
}
