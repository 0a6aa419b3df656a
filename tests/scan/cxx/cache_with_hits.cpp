/* Readers of a cache hold it shared, and count their hits all the same. */
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

class Cache
{
	mutable std::shared_mutex mutex_;
	std::map<int, std::string> map_;
	mutable int hits_ = 0;
	int misses_ = 0;

      public:
	bool find(int key, std::string *out) const
	{
		std::shared_lock<std::shared_mutex> lock(mutex_);
		auto it = map_.find(key); // NORACE

		if (it == map_.end()) // NORACE
			return false;
		hits_++;           // RACE
		*out = it->second; // NORACE
		return true;
	}

	void insert(int key, const std::string &value)
	{
		std::unique_lock<std::shared_mutex> lock(mutex_);

		map_[key] = value; // NORACE
		misses_++;         // NORACE
	}

	int misses() const
	{
		std::shared_lock<std::shared_mutex> lock(mutex_);

		return misses_; // NORACE
	}
};

static Cache cache;

static void worker()
{
	for (int i = 0; i < 100; i++) {
		std::string s;

		if (!cache.find(i % 7, &s))
			cache.insert(i % 7, "x");
	}
}

int main()
{
	std::thread a(worker), b(worker);

	a.join();
	b.join();
	return cache.misses() < 0;
}
