/* fork copies the memory: parent and child do not share it. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int budget = 10;

static void spend(int n)
{
	budget -= n; // NORACE
}

int main(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		spend(3);
		_exit(budget); // NORACE
	}
	spend(1);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	printf("%d\n", budget); // NORACE
	return 0;
}
