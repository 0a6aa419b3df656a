/* A route netlink dump, read message by message. */
#include "t.h"
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

int main(void)
{
	struct {
		struct nlmsghdr h;
		struct rtgenmsg g;
	} req = {.h = {.nlmsg_len = sizeof(req),
			 .nlmsg_type = RTM_GETLINK,
			 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
			 .nlmsg_seq = (unsigned)t_rand()},
		.g = {.rtgen_family = AF_PACKET}};
	int fd = TRY(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)), links = 0;
	char buf[32768] __attribute__((aligned(8)));

	CHECK(send(fd, &req, sizeof(req), 0) == sizeof(req));
	for (bool done = false; !done;) {
		ssize_t n = TRY(recv(fd, buf, sizeof(buf), 0));

		for (struct nlmsghdr *h = (struct nlmsghdr *)buf; NLMSG_OK(h, (unsigned)n);
			h = NLMSG_NEXT(h, n)) {
			CHECK(h->nlmsg_seq == req.h.nlmsg_seq);
			done = done || h->nlmsg_type == NLMSG_DONE;
			if (h->nlmsg_type != RTM_NEWLINK)
				continue;
			links++;
			say("link %d length %u for port %u hash %016lx\n",
				((struct ifinfomsg *)NLMSG_DATA(h))->ifi_index, h->nlmsg_len,
				h->nlmsg_pid, t_hash(h, h->nlmsg_len));
		}
	}
	CHECK(links > 0);
	return 0;
}
