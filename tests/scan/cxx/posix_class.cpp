// The classic: a static member function as the start routine, this as its argument.
#include <pthread.h>

class Server
{
      public:
	void start()
	{
		pthread_create(&thread_, nullptr, entry, this);
	}
	void stop()
	{
		pthread_mutex_lock(&m_);
		stopping_ = true; // NORACE
		pthread_mutex_unlock(&m_);
		requests_--; // RACE
		pthread_join(thread_, nullptr);
	}

      private:
	static void *entry(void *self)
	{
		static_cast<Server *>(self)->loop();
		return nullptr;
	}
	void loop()
	{
		for (;;) {
			pthread_mutex_lock(&m_);
			bool done = stopping_; // NORACE
			pthread_mutex_unlock(&m_);
			if (done)
				return;
			requests_++; // RACE
		}
	}
	pthread_t thread_;
	pthread_mutex_t m_ = PTHREAD_MUTEX_INITIALIZER;
	bool stopping_ = false;
	int requests_ = 0;
};

int main()
{
	Server s;
	s.start();
	s.stop();
	return 0;
}
