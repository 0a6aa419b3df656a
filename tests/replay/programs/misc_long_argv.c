/* An exec with about one MiB of arguments and environment. */
#include "t.h"

int main(int argc, char **argv)
{
	enum { N = 9000 };
	char **args, **env;

	if (argc > 2) {
		uint64_t h = 0;

		for (int i = 0; i < argc; i++)
			h = h * 31 + t_hash(argv[i], strlen(argv[i]));
		say("%d arguments, hash %016lx, BIG %zu\n", argc, h, strlen(getenv("BIG")));
		CHECK(argc == N + 1);
		return 0;
	}
	args = calloc(N + 2, sizeof(*args));
	env = calloc(2, sizeof(*env));
	CHECK(args && env);
	args[0] = argv[0];
	for (int i = 1; i <= N; i++) {
		args[i] = malloc(100);
		CHECK(args[i]);
		memset(args[i], 'a' + i % 26, 99);
		args[i][99] = 0;
		snprintf(args[i] + 20, 40, "%016lx", t_rand());
	}
	env[0] = malloc(100010);
	CHECK(env[0]);
	memset(env[0], 'e', 100009);
	memcpy(env[0], "BIG=", 4);
	env[0][100009] = 0;
	TRY(execve("/proc/self/exe", args, env));
	return 1;
}
