/* getaddrinfo and getnameinfo with numbers, gethostname, getifaddrs: files, netlink and all. */
#include "inet.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>

int main(void)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *ai;
	char host[256], serv[32];
	struct ifaddrs *list;

	CHECK(getaddrinfo("127.0.0.1", "8080", &hints, &ai) == 0);
	CHECK(getnameinfo(ai->ai_addr, ai->ai_addrlen, host, sizeof(host), serv, sizeof(serv),
		      NI_NUMERICHOST | NI_NUMERICSERV) == 0);
	say("%s %s\n", host, serv);
	freeaddrinfo(ai);
	/* Small systems have no names of services. */
	CHECK(getaddrinfo("::1", getservbyname("ftp", "tcp") ? "ftp" : "21", &hints, &ai) == 0);
	say("family %d port %d\n", ai->ai_family,
		ntohs(((struct sockaddr_in6 *)ai->ai_addr)->sin6_port));
	freeaddrinfo(ai);
	TRY(gethostname(host, sizeof(host)));
	say("host %s\n", host);
	TRY(getifaddrs(&list));
	for (struct ifaddrs *i = list; i; i = i->ifa_next)
		say("%s flags %x family %d\n", i->ifa_name, i->ifa_flags,
			i->ifa_addr ? i->ifa_addr->sa_family : -1);
	freeifaddrs(list);
	say("lo is %u, pid %d\n", if_nametoindex("lo"), getpid());
	return 0;
}
