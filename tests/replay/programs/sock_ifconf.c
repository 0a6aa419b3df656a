/* ioctls on a socket: SIOCGIFCONF with its inner buffer, SIOCGIFFLAGS, SIOCGIFMTU. */
#include "inet.h"
#include <net/if.h>
#include <sys/ioctl.h>

int main(void)
{
	int fd = TRY(socket(AF_INET, SOCK_DGRAM, 0));
	struct ifreq reqs[16], r = {0};
	struct ifconf conf = {.ifc_len = sizeof(reqs), .ifc_req = reqs};

	TRY(ioctl(fd, SIOCGIFCONF, &conf));
	for (unsigned i = 0; i < (unsigned)conf.ifc_len / sizeof(reqs[0]); i++) {
		struct sockaddr_in a;

		memcpy(&a, &reqs[i].ifr_addr, sizeof(a));
		say("%s %s\n", reqs[i].ifr_name, inet_ntoa(a.sin_addr));
	}
	strcpy(r.ifr_name, "lo");
	TRY(ioctl(fd, SIOCGIFFLAGS, &r));
	say("lo flags %x\n", (unsigned short)r.ifr_flags);
	TRY(ioctl(fd, SIOCGIFMTU, &r));
	say("lo mtu %d pid %d\n", r.ifr_mtu, getpid());
	return 0;
}
