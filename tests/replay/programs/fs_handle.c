/* name_to_handle_at: an opaque handle, where the file system gives one. */
#include "t.h"

int main(void)
{
	union {
		struct file_handle h;
		char space[sizeof(struct file_handle) + MAX_HANDLE_SZ];
	} u = {0};
	int mount = -1;

	t_tmp();
	t_write_file("f", "x", 1);
	u.h.handle_bytes = 0;
	CHECK(name_to_handle_at(AT_FDCWD, "f", &u.h, &mount, 0) == -1);
	say("errno %d wants %u\n", errno, u.h.handle_bytes);
	if (errno != EOVERFLOW)
		return 0;
	TRY(name_to_handle_at(AT_FDCWD, "f", &u.h, &mount, 0));
	say("type %d mount %d hash %016lx\n", u.h.handle_type, mount,
		t_hash(u.h.f_handle, u.h.handle_bytes));
	return 0;
}
