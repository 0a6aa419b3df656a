# A client connects before the server listens.
# fixed: the server says when it is ready
# needs: python3
# says: listens on .*connects to it
cat > server.py <<'END'
import os, socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", 7077))
s.listen(5)
if os.environ.get("FIXED"):
    open("ready", "w").write("ready\n")
s.accept()
END
echo 'import socket; socket.create_connection(("127.0.0.1", 7077), 5)' > client.py
mkfifo ready
python3 -S server.py &
server=$!
if [ -n "$FIXED" ]; then
	read -r word < ready
	python3 -S client.py
else
	(sleep 0.3; python3 -S client.py)
fi
r=$?
kill $server 2> /dev/null
exit $r
