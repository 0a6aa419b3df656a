// A class that starts its thread in the constructor and joins it in the destructor.
#include <mutex>
#include <thread>

class Worker
{
      public:
	Worker() : thread_([this] { loop(); }) // NORACE
	{
	}
	~Worker()
	{
		{
			std::lock_guard<std::mutex> guard(m_);
			stop_ = true; // NORACE
		}
		thread_.join();
	}
	int progress() const
	{
		return progress_; // RACE
	}

      private:
	void loop()
	{
		for (;;) {
			std::lock_guard<std::mutex> guard(m_);
			if (stop_) // NORACE
				return;
			progress_++; // RACE
		}
	}
	std::mutex m_;
	bool stop_ = false;
	int progress_ = 0;
	std::thread thread_;
};

int main()
{
	Worker w;
	return w.progress() < 0;
}
