# A server removes its old socket file and makes a new one; a client finds none in between.
# fixed: bound under another name, then renamed
# needs: python3
# says: binds \S*/sock, .*connects to it
cat > server.py <<'END'
import os, socket, sys
def bind(name):
    s = socket.socket(socket.AF_UNIX)
    s.bind(name)
    s.listen(5)
    return s
old = bind("sock")
open("up", "w").close()
if os.environ.get("FIXED"):
    new = bind("sock.new")
    os.rename("sock.new", "sock")
else:
    os.unlink("sock")
    new = bind("sock")
open("renewed", "w").close()
s, _ = new.accept()
END
cat > client.py <<'END'
import socket, sys
socket.socket(socket.AF_UNIX).connect("sock")
END
python3 -S server.py &
until [ -e up ]; do sleep 0.05; done
(sleep 0.3; timeout 5 python3 -S client.py)
r=$?
kill $! 2> /dev/null
wait
exit $r
