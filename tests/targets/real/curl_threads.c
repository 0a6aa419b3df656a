/* A workload for libcurl: threads fetch files through one share object that holds cookies, names
 * and connections, each behind its lock; checks that every byte came. */
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define FETCHES 2

static CURLSH *share;
static pthread_mutex_t locks[CURL_LOCK_DATA_LAST];
static const char *url;

static void lock(CURL *handle, curl_lock_data data, curl_lock_access access, void *arg)
{
	(void)handle, (void)access, (void)arg;
	pthread_mutex_lock(&locks[data]);
}

static void unlock(CURL *handle, curl_lock_data data, void *arg)
{
	(void)handle, (void)arg;
	pthread_mutex_unlock(&locks[data]);
}

static size_t count(char *data, size_t size, size_t n, void *total)
{
	(void)data;
	*(size_t *)total += size * n;
	return size * n;
}

static void *fetch(void *arg)
{
	for (int i = 0; i < FETCHES; i++) {
		CURL *c = curl_easy_init();
		curl_off_t length = 0;
		size_t got = 0;

		curl_easy_setopt(c, CURLOPT_URL, url);
		curl_easy_setopt(c, CURLOPT_SHARE, share);
		curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
		curl_easy_setopt(c, CURLOPT_COOKIEFILE, "");
		curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, count);
		curl_easy_setopt(c, CURLOPT_WRITEDATA, &got);
		if (curl_easy_perform(c) != CURLE_OK)
			abort();
		curl_easy_getinfo(c, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
		if ((size_t)length != got || !got)
			abort();
		curl_easy_cleanup(c);
	}
	return arg;
}

int main(int argc, char **argv)
{
	static const curl_lock_data shared[] = {
		CURL_LOCK_DATA_COOKIE, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_CONNECT};
	pthread_t threads[THREADS];

	url = argc > 1 ? argv[1] : "file:///etc/services";
	for (size_t i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_init(&locks[i], NULL);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	share = curl_share_init();
	curl_share_setopt(share, CURLSHOPT_LOCKFUNC, lock);
	curl_share_setopt(share, CURLSHOPT_UNLOCKFUNC, unlock);
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		curl_share_setopt(share, CURLSHOPT_SHARE, shared[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, fetch, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	curl_share_cleanup(share);
	curl_global_cleanup();
	return 0;
}
