// A guard class of the program's own, over pthreads.
#include <pthread.h>
#include <thread>

class Guard
{
      public:
	explicit Guard(pthread_mutex_t &m) : m_(m)
	{
		pthread_mutex_lock(&m_);
	}
	~Guard()
	{
		pthread_mutex_unlock(&m_);
	}
	Guard(const Guard &) = delete;

      private:
	pthread_mutex_t &m_;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static void work(int n)
{
	if (n > 0) {
		Guard g(m);
		inside += n; // NORACE
		if (inside > 100) // NORACE
			return;
	}
	outside += n; // RACE
}

int main()
{
	std::thread a(work, 1), b(work, 2);
	a.join();
	b.join();
	return inside + outside; // NORACE
}
