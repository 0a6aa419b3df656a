# A parent sets its handler of SIGCHLD behind the fork: a child that is quick enough ends unheard.
# fixed: it sets the handler first
# needs: python3
# says: ends after .* is in rt_sigaction
# mend: set the handler .* before
cat > parent.py <<'END'
import os, signal, sys, time
ended = []
def listen():
    signal.signal(signal.SIGCHLD, lambda *_: ended.append(1))
if os.environ["FIXED"]:
    listen()
if os.fork() == 0:
    time.sleep(0.6)
    os._exit(0)
if not os.environ["FIXED"]:
    listen()
for n in range(60):
    if not ended:
        time.sleep(0.05)
sys.exit(not ended)
END
python3 -S parent.py
