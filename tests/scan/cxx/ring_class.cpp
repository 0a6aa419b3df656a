/* Blocks go through a ring whose methods are called with its lock held; the consumer gets each by
 * reference, and keeps the last one until it has the next. */
#include <pthread.h>

struct block {
	char *data;
	unsigned size;
	int number;
	bool whole;
	block *next;
};

struct ring {
	block **slots;
	long size, count, head, tail;
	pthread_mutex_t *lock;
	pthread_cond_t *more, *room;

	void add(block *b)
	{
		slots[tail] = b;  // NORACE
		++tail;           // NORACE
		if (tail == size) // NORACE
			tail = 0; // NORACE
		++count;          // NORACE
	}

	int remove(block *&b)
	{
		block *&first = slots[head];

		if (b && !b->whole) { // NORACE
			if (!b->next) // NORACE
				return 0;
			b = b->next; // NORACE
			--count;     // NORACE
			return 1;
		}
		if (count == 0) // NORACE
			return 0;
		b = first;        // NORACE
		++head;           // NORACE
		if (head == size) // NORACE
			head = 0; // NORACE
		--count;          // NORACE
		return 1;
	}
};

static int finished;
static pthread_mutex_t finished_lock = PTHREAD_MUTEX_INITIALIZER;

static int is_finished()
{
	pthread_mutex_lock(&finished_lock);
	int n = finished; // NORACE
	pthread_mutex_unlock(&finished_lock);
	return n;
}

static void *consumer(void *arg)
{
	ring *r = static_cast<ring *>(arg);
	block *b = nullptr, *last = nullptr;

	for (;;) {
		pthread_mutex_lock(r->lock);
		for (;;) {
			if (r->remove(b) == 1)
				break;
			if (is_finished()) {
				pthread_mutex_unlock(r->lock);
				delete last; // NORACE
				return nullptr;
			}
			pthread_cond_wait(r->more, r->lock);
		}
		pthread_cond_signal(r->room);
		pthread_mutex_unlock(r->lock);
		if (last)
			delete last; // NORACE
		last = b;
		for (unsigned i = 0; i < b->size; i++) // NORACE
			b->data[i]++;                  // NORACE
		delete[] b->data;                      // NORACE
		b->data = nullptr;                     // NORACE
		b->size = 0;                           // NORACE
	}
}

static ring *make_ring(long size)
{
	ring *r = new ring;

	r->slots = new block *[size];     // NORACE
	r->size = size;                   // NORACE
	r->head = r->tail = r->count = 0; // NORACE
	r->lock = new pthread_mutex_t;    // NORACE
	pthread_mutex_init(r->lock, nullptr);
	r->more = new pthread_cond_t; // NORACE
	pthread_cond_init(r->more, nullptr);
	r->room = new pthread_cond_t; // NORACE
	pthread_cond_init(r->room, nullptr);
	return r;
}

static void produce(ring *r, int n)
{
	block *b = new block;

	b->data = new char[100]; // NORACE
	b->size = 100;           // NORACE
	b->number = n;           // NORACE
	pthread_mutex_lock(r->lock);
	while (r->count == r->size) // NORACE
		pthread_cond_wait(r->room, r->lock);
	r->add(b);
	pthread_cond_signal(r->more);
	pthread_mutex_unlock(r->lock);
}

int main()
{
	ring *r = make_ring(8);
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], nullptr, consumer, r);
	for (int i = 0; i < 100; i++)
		produce(r, i);
	pthread_mutex_lock(&finished_lock);
	finished = 1; // NORACE
	pthread_mutex_unlock(&finished_lock);
	pthread_cond_broadcast(r->more);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], nullptr);
	return 0;
}
