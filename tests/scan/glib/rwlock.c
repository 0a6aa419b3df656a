/* GLib's reader-writer lock and atomics. */
// norun
typedef struct _GThread GThread;
typedef struct {
	void *p;
} GRWLock;
typedef void *(*GThreadFunc)(void *data);
GThread *g_thread_new(const char *name, GThreadFunc func, void *data);
void *g_thread_join(GThread *thread);
void g_rw_lock_reader_lock(GRWLock *l);
void g_rw_lock_reader_unlock(GRWLock *l);
void g_rw_lock_writer_lock(GRWLock *l);
void g_rw_lock_writer_unlock(GRWLock *l);
int(g_atomic_int_add)(volatile int *p, int n);

static GRWLock l;
static int value, hits, atomic_hits;

static void *reader(void *data)
{
	int v;

	g_rw_lock_reader_lock(&l);
	v = value; // NORACE
	hits++;    // RACE
	g_rw_lock_reader_unlock(&l);
	g_atomic_int_add(&atomic_hits, v); // NORACE
	return data;
}

static void *writer(void *data)
{
	g_rw_lock_writer_lock(&l);
	value++; // NORACE
	g_rw_lock_writer_unlock(&l);
	return data;
}

int main(void)
{
	GThread *a = g_thread_new("a", reader, 0);
	GThread *b = g_thread_new("b", reader, 0);
	GThread *c = g_thread_new("c", writer, 0);

	g_thread_join(a);
	g_thread_join(b);
	g_thread_join(c);
	return hits;
}
