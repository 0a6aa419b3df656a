/* TCP_INFO: a structure full of numbers that change from run to run. */
#include "inet.h"

int main(void)
{
	struct sockaddr_in a;
	struct tcp_info ti = {0};
	socklen_t len = sizeof(ti);
	int l = inet_bound(SOCK_STREAM, &a), c = inet_dial(&a), s = TRY(accept(l, NULL, NULL));
	char buf[1000] = {0};

	for (int i = 0; i < 10; i++) {
		CHECK(write(c, buf, sizeof(buf)) == sizeof(buf));
		CHECK(recv(s, buf, sizeof(buf), MSG_WAITALL) == sizeof(buf));
	}
	TRY(getsockopt(c, IPPROTO_TCP, TCP_INFO, &ti, &len));
	say("state %d rtt %u var %u cwnd %u sent %u hash %016lx\n", ti.tcpi_state, ti.tcpi_rtt,
		ti.tcpi_rttvar, ti.tcpi_snd_cwnd, ti.tcpi_last_data_sent, t_hash(&ti, len));
	CHECK(ti.tcpi_state == TCP_ESTABLISHED);
	return 0;
}
