/* GLib's threads and mutexes, by their prototypes alone. */
// norun
typedef struct _GThread GThread;
typedef struct {
	void *p;
} GMutex;
typedef void *(*GThreadFunc)(void *data);
GThread *g_thread_new(const char *name, GThreadFunc func, void *data);
void *g_thread_join(GThread *thread);
void g_mutex_lock(GMutex *m);
void g_mutex_unlock(GMutex *m);
int g_mutex_trylock(GMutex *m);

static GMutex m;
static int locked, unlocked;

static void *worker(void *data)
{
	g_mutex_lock(&m);
	locked++; // NORACE
	g_mutex_unlock(&m);
	unlocked++; // RACE
	if (g_mutex_trylock(&m)) {
		locked--; // NORACE
		g_mutex_unlock(&m);
	}
	return data;
}

int main(void)
{
	GThread *a = g_thread_new("a", worker, 0);
	GThread *b = g_thread_new("b", worker, 0);

	g_thread_join(a);
	g_thread_join(b);
	return locked + unlocked; // NORACE
}
