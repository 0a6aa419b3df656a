/* Who has accepted a connection comes behind what the client did before it connected. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static int before, behind;

static void *client(void *arg)
{
	int c = socket(AF_INET, SOCK_STREAM, 0);

	before = 1; // NORACE
	if (connect(c, (struct sockaddr *)&address, sizeof(address)))
		return arg;
	behind = 1; // RACE
	close(c);
	return NULL;
}

int main(void)
{
	socklen_t size = sizeof(address);
	int s = socket(AF_INET, SOCK_STREAM, 0), c;
	pthread_t id;

	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(s, (struct sockaddr *)&address, sizeof(address)) || listen(s, 1) ||
		getsockname(s, (struct sockaddr *)&address, &size))
		return 1;
	pthread_create(&id, NULL, client, NULL);
	c = accept(s, NULL, NULL);
	before = 2; // NORACE
	behind = 2; // RACE
	pthread_join(id, NULL);
	close(c);
	close(s);
	return 0;
}
