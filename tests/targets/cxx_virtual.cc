/* A base class joins its thread in its destructor.  The derived part is gone by then, and the
 * thread may call a function that no longer exists.
 *
 * kind: order-violation
 * harm: abort, crash */
#include <atomic>
#include <thread>
#include <unistd.h>

class Task
{
      public:
	virtual ~Task()
	{
		if (thread.joinable())
			thread.join();
	}
	virtual void step() = 0;
	void start()
	{
		thread = std::thread([this] {
			for (int i = 0; i < 3; i++)
				step(); /* BUG */
		});
	}

      protected:
	std::thread thread;
};

class Counter : public Task
{
      public:
	explicit Counter(int *target) : target(target)
	{
	}
	~Counter() override = default; /* BUG */
	void step() override
	{
		++*target;
		begun = true;
	}

	std::atomic<bool> begun{false};

      private:
	int *target;
};

int main()
{
	int steps = 0;

	{
		Counter counter(&steps);

		counter.start();
		while (!counter.begun)
			usleep(1000);
	}
	return steps != 3;
}
