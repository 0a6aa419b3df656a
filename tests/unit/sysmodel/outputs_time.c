/* Clocks, timers, System V and POSIX queues, keys, the machine. */
#include "probe.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

void outputs_of_clocks(void **state)
{
	uint64_t t = probe_room(16);

	OK_BYTES(16, clock_gettime, CLOCK_MONOTONIC, t);
	OK_BYTES(16, clock_getres, CLOCK_MONOTONIC, t);
	OK_BYTES(0, clock_getres, CLOCK_MONOTONIC, 0);
	OK_BYTES(24, gettimeofday, t, probe_room(8));
	OK_BYTES(16, gettimeofday, t, 0);
	OK_BYTES(8, time, t);
	OK_BYTES(0, time, 0);
	OK_BYTES(208, adjtimex, NEW_STRUCT(struct timex, .modes = 0));
	OK_BYTES(208, clock_adjtime, CLOCK_REALTIME, NEW_STRUCT(struct timex, .modes = 0));
	assert_int_equal(CALL(clock_gettime, 99, t), -EINVAL);
}

void outputs_of_timers(void **state)
{
	uint64_t value = probe_put((uint64_t[4]){0, 0, 100, 0}, 32), old = probe_room(32);
	uint64_t event = NEW_STRUCT(struct sigevent, .sigev_notify = SIGEV_NONE);
	uint64_t id = probe_room(4), none = probe_put((uint64_t[4]){0}, 32);
	int timer;

	OK_BYTES(32, setitimer, ITIMER_VIRTUAL, value, old);
	OK_BYTES(32, getitimer, ITIMER_VIRTUAL, old);
	OK(setitimer, ITIMER_VIRTUAL, none, 0);
	OK_BYTES(4, timer_create, CLOCK_MONOTONIC, event, id);
	timer = *(int *)probe_at(id);
	OK_BYTES(32, timer_settime, timer, 0, value, old);
	OK_BYTES(32, timer_gettime, timer, old);
	OK(timer_getoverrun, timer);
	OK(timer_delete, timer);
	CALL(timer_create, CLOCK_REALTIME_ALARM, event, probe_room(4));
	OK(alarm, 0);
}

void outputs_of_sleeping(void **state)
{
	uint64_t brief = probe_put((uint64_t[2]){0, 1000}, 16), rest = probe_room(16);

	OK_BYTES(0, nanosleep, brief, rest);
	OK_BYTES(0, clock_nanosleep, CLOCK_MONOTONIC, 0, brief, rest);
}

static void semaphores(void)
{
	int64_t id = CALL(semget, IPC_PRIVATE, 3, IPC_CREAT | 0600);
	uint64_t op = NEW_STRUCT(struct sembuf, 0, 1, 0), values = probe_room(6);
	uint64_t time = probe_put((uint64_t[2]){1, 0}, 16);

	if (id < 0)
		return;
	OK(semctl, id, 0, SETALL, probe_put((uint16_t[3]){1, 2, 3}, 6));
	OK(semctl, id, 3, GETALL, values);
	OK_BYTES(104, semctl, id, 0, IPC_STAT, probe_room(104));
	OK(semctl, 0, 0, IPC_INFO, probe_room(100));
	OK(semctl, 0, 0, SEM_INFO, probe_room(100));
	OK(semctl, id, 0, GETVAL);
	OK(semop, id, op, 1);
	OK(semtimedop, id, op, 1, time);
	OK(semctl, id, 0, IPC_RMID);
}

static void shared_memory(void)
{
	int64_t id = CALL(shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600), map;

	if (id < 0)
		return;
	map = OK(shmat, id, 0, 0);
	OK_BYTES(112, shmctl, id, IPC_STAT, probe_room(200));
	OK(shmctl, 0, IPC_INFO, probe_room(200));
	OK(shmctl, 0, SHM_INFO, probe_room(200));
	OK(shmdt, (uint64_t)map);
	OK(shmctl, id, IPC_RMID);
}

static void system_v_messages(void)
{
	int64_t id = CALL(msgget, IPC_PRIVATE, IPC_CREAT | 0600);
	uint64_t text = probe_put((uint64_t[3]){1, 2, 3}, 24), buf = probe_room(200);

	if (id < 0)
		return;
	OK(msgsnd, id, text, 16, 0);
	OK(msgsnd, id, text, 16, 0);
	OK_BYTES(24, msgrcv, id, buf, 100, 0, 0);
	OK_BYTES(8 + 4, msgrcv, id, buf, 4, 0, MSG_NOERROR);
	assert_int_equal(CALL(msgrcv, id, buf, 100, 0, IPC_NOWAIT), -ENOMSG);
	OK_BYTES(120, msgctl, id, IPC_STAT, probe_room(200));
	OK(msgctl, 0, IPC_INFO, probe_room(100));
	OK(msgctl, 0, MSG_INFO, probe_room(100));
	OK(msgctl, id, IPC_RMID);
}

void outputs_of_system_v(void **state)
{
	semaphores();
	shared_memory();
	system_v_messages();
}

void outputs_of_message_queues(void **state)
{
	uint64_t name = probe_str("dh-outputs-test"), buf = probe_room(200);
	uint64_t attr = NEW_STRUCT(struct mq_attr, .mq_maxmsg = 4, .mq_msgsize = 100);
	int64_t q = CALL(mq_open, name, O_RDWR | O_CREAT, 0600, attr);

	if (q < 0)
		skip();
	OK(mq_timedsend, q, probe_str("text"), 4, 3, 0);
	OK_BYTES(8, mq_timedreceive, q, buf, 200, probe_room(4), 0);
	OK_BYTES(64, mq_getsetattr, q, 0, probe_room(64));
	CALL(mq_notify, q, 0);
	OK(mq_unlink, name);
	OK(close, q);
}

void outputs_of_keys(void **state)
{
	uint64_t buf = probe_room(200);
	int64_t key = CALL(add_key, probe_str("user"), probe_str("dh-outputs"), probe_str("secret"),
		6, (uint64_t)KEY_SPEC_PROCESS_KEYRING);

	if (key < 0)
		skip();
	OK_BYTES(6, keyctl, KEYCTL_READ, key, buf, 100);
	/* Too little room: the length is said, and nothing or a part is stored. */
	OK(keyctl, KEYCTL_READ, key, buf, 3);
	assert_true(OK(keyctl, KEYCTL_DESCRIBE, key, buf, 100) > 0);
	CALL(keyctl, KEYCTL_GET_SECURITY, key, buf, 100);
	CALL(keyctl, KEYCTL_CAPABILITIES, buf, 100);
	CALL(request_key, probe_str("user"), probe_str("dh-outputs"), 0, 0);
	OK(keyctl, KEYCTL_REVOKE, key);
}

void outputs_of_the_system(void **state)
{
	OK_BYTES(390, uname, probe_room(390));
	OK_BYTES(112, sysinfo, probe_room(112));
	OK_BYTES(50, getrandom, probe_room(50), 50, 0);
	CALL(syslog, 3, probe_room(500), 500);
	CALL(syslog, 10, 0, 0);
	/* The old ones that answer ENOSYS write nothing. */
	CALL(_sysctl, probe_room(100));
	CALL(set_thread_area, probe_room(100));
	CALL(get_thread_area, probe_room(100));
}
