#!/bin/sh
# nginx with two workers is recorded while clients load it.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs nginx
	free_port >port
	mkdir www
	seq 5000 >www/index.html
	cat >nginx.conf <<END
worker_processes 2;
daemon off;
pid $PWD/nginx.pid;
error_log stderr notice;
$([ "$(id -u)" -ne 0 ] || echo "user root;")
events { worker_connections 64; }
http {
	access_log $PWD/access.log;
	client_body_temp_path $PWD/b; proxy_temp_path $PWD/p; fastcgi_temp_path $PWD/f;
	uwsgi_temp_path $PWD/u; scgi_temp_path $PWD/s;
	server { listen 127.0.0.1:$(cat port); root $PWD/www; }
}
END
	;;
main) exec nginx -c "$PWD/nginx.conf" -p "$PWD" -e stderr ;;
drive)
	wait_port "$(cat port)"
	/usr/bin/python3 - "$(cat port)" <<'END'
import http.client, sys, threading
def load():
    for i in range(15):
        c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
        for path, want in (("/", 200), ("/none", 404), ("/", 200)):
            c.request("GET", path)
            r = c.getresponse()
            r.read()
            assert r.status == want, r.status
        c.close()
ts = [threading.Thread(target=load) for i in range(6)]
[t.start() for t in ts]
[t.join() for t in ts]
END
	status=$?
	kill -QUIT "$(cat nginx.pid)"
	exit $status
	;;
check) grep -q 'start worker process' stderr && [ "$(wc -l <access.log)" = 270 ] ;;
esac
