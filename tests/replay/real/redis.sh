#!/bin/sh
# redis-server is recorded while redis-benchmark and redis-cli load it.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs redis-server redis-benchmark redis-cli
	free_port >port
	;;
main)
	exec redis-server --port "$(cat port)" --bind 127.0.0.1 --save '' --appendonly yes \
		--appendfsync everysec --dir "$PWD"
	;;
drive)
	port=$(cat port)
	wait_port "$port"
	redis-benchmark -p "$port" -n 2000 -c 20 -q -t set,get,lpush,lpop,incr
	redis-cli -p "$port" info server
	redis-cli -p "$port" debug sleep 0.01
	redis-cli -p "$port" bgsave
	sleep 0.5
	redis-cli -p "$port" shutdown nosave || true
	;;
check) grep -q 'Ready to accept connections' stdout ;;
esac
