/* A session is looked up through a weak pointer: it is there when asked, and gone when it is used.
 *
 * kind: atomicity-violation
 * harm: crash, heap */
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct session {
	std::string user;
	int messages = 0;
};

static std::mutex lock;
static std::map<int, std::shared_ptr<session>> sessions;

static void greet(std::weak_ptr<session> weak)
{
	for (int i = 0; i < 2; i++) {
		if (!weak.expired()) { /* BUG */
			auto s = weak.lock();
			std::lock_guard<std::mutex> guard(lock);

			s->messages++;
		}
	}
}

static void log_out(int id)
{
	std::shared_ptr<session> last;
	std::lock_guard<std::mutex> guard(lock);

	last = std::move(sessions[id]);
	sessions.erase(id);
}

int main()
{
	sessions[1] = std::make_shared<session>();
	sessions[1]->user = "a user with a rather long name";
	std::thread a(greet, std::weak_ptr<session>(sessions[1]));
	std::thread b(log_out, 1);

	a.join();
	b.join();
	return 0;
}
