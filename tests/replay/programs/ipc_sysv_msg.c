/* System V messages: by type, by priority, cut, and statistics. */
#include "t.h"
#include <sys/msg.h>

struct message {
	long type;
	char text[64];
};

int main(void)
{
	int id = TRY(msgget(IPC_PRIVATE, IPC_CREAT | 0600));
	struct message m;
	struct msqid_ds ds;
	ssize_t n;
	pid_t pid = TRY(fork());

	if (!pid) {
		for (long i = 1; i <= 5; i++) {
			m.type = i;
			snprintf(m.text, sizeof(m.text), "type %ld at %lu", i, t_now_ns());
			TRY(msgsnd(id, &m, strlen(m.text), 0));
		}
		_exit(0);
	}
	n = TRY(msgrcv(id, &m, sizeof(m.text), 3, 0));
	say("%ld: %.*s\n", m.type, (int)n, m.text);
	CHECK(t_wait(pid) == 0);
	n = TRY(msgrcv(id, &m, sizeof(m.text), -2, 0));
	say("%ld: %.*s\n", m.type, (int)n, m.text);
	CHECK(m.type == 1);
	CHECK(msgrcv(id, &m, 3, 4, 0) == -1 && errno == E2BIG);
	CHECK(msgrcv(id, &m, 3, 4, MSG_NOERROR) == 3);
	CHECK(msgrcv(id, &m, 3, 9, IPC_NOWAIT) == -1 && errno == ENOMSG);
	TRY(msgctl(id, IPC_STAT, &ds));
	say("left %lu, sent by %d at %ld\n", ds.msg_qnum, ds.msg_lspid, ds.msg_stime);
	CHECK(ds.msg_qnum == 2 && ds.msg_lspid == pid);
	TRY(msgctl(id, IPC_RMID, NULL));
	return 0;
}
