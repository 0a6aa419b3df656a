/* The fixed twin of session_table.c: every access to the table has the table's lock, every path
 * gives it back, and the table's lock always comes before the log's. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define SESSIONS 64

struct session {
	char user[16];
	int requests;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct session table[SESSIONS];
static int open_sessions;

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static char log_line[80];
static int log_lines;

static void log_event(const char *what, const char *user)
{
	pthread_mutex_lock(&log_lock);
	snprintf(log_line, sizeof(log_line), "%s %s", what, user);
	log_lines++;
	pthread_mutex_unlock(&log_lock);
}

/* Returns the number of the session, or -1. */
static int session_open(const char *user)
{
	int id = -1;

	if (strlen(user) >= sizeof(table[0].user))
		return -1;
	pthread_mutex_lock(&table_lock);
	if (open_sessions < SESSIONS) {
		id = open_sessions++;
		strcpy(table[id].user, user);
		log_event("opened", user);
	}
	pthread_mutex_unlock(&table_lock);
	return id;
}

static void session_use(int id)
{
	pthread_mutex_lock(&table_lock);
	table[id].requests++;
	pthread_mutex_unlock(&table_lock);
}

static void session_close(int id)
{
	pthread_mutex_lock(&table_lock);
	table[id].user[0] = '\0';
	open_sessions--;
	pthread_mutex_unlock(&table_lock);
}

/* Prints how things are. */
static void report(void)
{
	pthread_mutex_lock(&table_lock);
	pthread_mutex_lock(&log_lock);
	printf("%d sessions are open, %d lines are logged\n", open_sessions, log_lines);
	pthread_mutex_unlock(&log_lock);
	pthread_mutex_unlock(&table_lock);
}

static void *client(void *arg)
{
	for (int i = 0; i < 10; i++) {
		int id = session_open(arg);

		if (id < 0)
			break;
		session_use(id);
		session_close(id);
	}
	return NULL;
}

static void *reporter(void *arg)
{
	for (int i = 0; i < 3; i++)
		report();
	return arg;
}

int main(void)
{
	pthread_t clients[2], r;

	pthread_create(&r, NULL, reporter, NULL);
	pthread_create(&clients[0], NULL, client, "ann");
	pthread_create(&clients[1], NULL, client, "bob");
	for (int i = 0; i < 2; i++)
		pthread_join(clients[i], NULL);
	pthread_join(r, NULL);
	return 0;
}
