/* remap_file_pages and MAP_POPULATE: pages of a file in another order. */
#include "t.h"

int main(void)
{
	char data[8 * 4096], *m;
	int fd;

	t_tmp();
	for (int i = 0; i < 8; i++)
		memset(data + i * 4096, 'a' + i, 4096);
	t_write_file("f", data, sizeof(data));
	fd = TRY(open("f", O_RDWR));
	m = TRY(mmap(NULL, sizeof(data), PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0));
	for (size_t i = 0; i < 8; i++)
		if (remap_file_pages(m + i * 4096, 4096, 0, 7 - i, 0) < 0) {
			say("not here: %d\n", errno);
			return 0;
		}
	for (int i = 0; i < 8; i++)
		say("%c", m[i * 4096]);
	say(" %p\n", (void *)m);
	CHECK(m[0] == 'h' && m[7 * 4096] == 'a');
	return 0;
}
