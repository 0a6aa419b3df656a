#!/bin/sh
# Starts a service unless it runs already; two starts at once both succeed.
pidfile=${1:-service.pid}
if [ -e "$pidfile" ]; then
	echo "already running as $(cat "$pidfile")" >&2
	exit 1
fi
echo $$ >"$pidfile"
exec sleep 1
