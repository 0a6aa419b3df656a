/* Makes many events of all kinds for about as long as it is told: two threads that take turns with
 * a mutex, a child that shares a page with its parent, a handler on its own stack that a timer
 * enters, random numbers, and heap that comes and goes.  Every line of output depends on all that
 * came before, so that a replay which went wrong anywhere prints other lines. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static uint64_t sum = 1;
static int whose, rounds;
static volatile sig_atomic_t ticks;
static uint64_t *page;

static void on_tick(int sig)
{
	(void)sig;
	ticks++;
}

static uint64_t mix(uint64_t h, const unsigned char *p, size_t n)
{
	while (n--)
		h = (h ^ *p++) * 0x100000001b3ull;
	return h;
}

static uint64_t draw(uint64_t h)
{
	unsigned char *block = malloc(BLOCK);

	if (getrandom(block, BLOCK, 0) != BLOCK)
		abort();
	h = mix(h, block, BLOCK);
	free(block);
	return h;
}

static void *player(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		while (whose != me)
			pthread_cond_wait(&turned, &lock);
		sum = draw(sum + *page);
		if (i % 4 == 0) {
			printf("thread %d round %d sum %016llx ticks %d\n", me, i,
				(unsigned long long)sum, (int)ticks);
			fflush(stdout);
		}
		whose = !me;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static int child(void)
{
	uint64_t h = 7;

	for (int i = 0; i < rounds; i++) {
		h = draw(h);
		*page = h;
		if (i % 4 == 0)
			usleep(1000);
	}
	return 5;
}

int main(int argc, char **argv)
{
	static char stack[65536];
	struct sigaction sa = {.sa_handler = on_tick, .sa_flags = SA_RESTART | SA_ONSTACK};
	struct itimerval every = {{0, 20000}, {0, 20000}};
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof(stack)};
	pthread_t t[2];
	int status;
	pid_t pid;

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	page = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 1;
	sigaltstack(&alt, NULL);
	sigaction(SIGALRM, &sa, NULL);
	pid = fork();
	if (pid == 0)
		_exit(child());
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, player, (void *)(intptr_t)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_REAL, &every, NULL);
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	printf("child %d, sum %016llx, page %016llx\n", WEXITSTATUS(status),
		(unsigned long long)sum, (unsigned long long)*page);
	return 40 + WEXITSTATUS(status);
}
