/* sendmmsg and recvmmsg: many datagrams per call, lengths written back for each. */
#include "inet.h"

int main(void)
{
	enum { N = 10 };
	struct mmsghdr out[N] = {0}, in[N] = {0};
	struct iovec oi[N], ii[N];
	static char data[N][100], got[N][100];
	struct sockaddr_in a, from[N];
	int s = inet_bound(SOCK_DGRAM, &a), c = TRY(socket(AF_INET, SOCK_DGRAM, 0)), n;
	struct timespec ts = {1, 0};

	t_fill_random(data, sizeof(data));
	TRY(connect(c, (struct sockaddr *)&a, sizeof(a)));
	for (int i = 0; i < N; i++) {
		oi[i] = (struct iovec){data[i], t_rand_in(1, 100)};
		ii[i] = (struct iovec){got[i], 100};
		out[i].msg_hdr = (struct msghdr){.msg_iov = &oi[i], .msg_iovlen = 1};
		in[i].msg_hdr = (struct msghdr){.msg_iov = &ii[i],
			.msg_iovlen = 1,
			.msg_name = &from[i],
			.msg_namelen = sizeof(from[i])};
	}
	CHECK(sendmmsg(c, out, N, 0) == N);
	n = TRY(recvmmsg(s, in, N, MSG_WAITFORONE, &ts));
	CHECK(n == N);
	for (int i = 0; i < n; i++) {
		CHECK(in[i].msg_len == out[i].msg_len);
		say("%u bytes %016lx from %d\n", in[i].msg_len, t_hash(got[i], in[i].msg_len),
			ntohs(from[i].sin_port));
	}
	CHECK(recvmmsg(s, in, N, MSG_DONTWAIT, NULL) == -1 && errno == EAGAIN);
	return 0;
}
