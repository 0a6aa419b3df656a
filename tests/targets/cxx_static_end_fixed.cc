/* cxx_static_end.cc, mended: main joins the thread before the vector is destroyed.
 *
 * kind: none */
#include <thread>
#include <vector>

static std::vector<int> counts(4);

static void listener()
{
	for (int &n : counts)
		n++;
}

int main()
{
	std::thread t(listener);

	t.join();
	return 0;
}
