// Static objects are destroyed when main() is over; a thread that is left still uses them.
#include <pthread.h>
#include <unistd.h>

struct journal {
	int lines;

	journal() : lines(0)
	{
	}
	~journal()
	{
		lines = -1; // RACE
	}
};

struct ledger {
	int lines;

	ledger() : lines(0)
	{
	}
	~ledger()
	{
		lines = -1; // NORACE
	}
};

static journal left;
static ledger waited_for;

static void *writes_on(void *arg)
{
	left.lines++; // RACE
	return nullptr;
}

static void *writes_once(void *arg)
{
	waited_for.lines++; // NORACE
	return nullptr;
}

int main()
{
	pthread_t a, b;

	pthread_create(&a, nullptr, writes_on, nullptr);
	pthread_create(&b, nullptr, writes_once, nullptr);
	pthread_detach(a);
	pthread_join(b, nullptr);
	sleep(1);
	return 0;
}
