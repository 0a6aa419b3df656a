# start-stop-daemon --background is over before the daemon has made its directory, which the next
# service needs (launchpad-596064).
# fixed: --notify-await, and a daemon that says when it is ready
# needs: start-stop-daemon python3
# says: makes the directory \S*/run, .*opens it
cat > smbd.py <<'END'
import os, socket
os.mkdir("run")
if os.environ.get("NOTIFY_SOCKET"):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    s.connect(os.environ["NOTIFY_SOCKET"])
    s.send(b"READY=1")
END
if [ -n "$FIXED" ]; then await=--notify-await; fi
ulimit -n 64
start-stop-daemon --start --background $await --pidfile "$PWD/pid" --make-pidfile --chdir "$PWD" \
	--startas /usr/bin/python3 -- -S smbd.py
[ -n "$FIXED" ] || sleep 0.3
echo pid > run/nmbd.pid
