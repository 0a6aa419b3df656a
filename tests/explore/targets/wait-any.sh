# A parent that waits for any child takes its status for that of the first one.
# fixed: waits for the one that it means
# needs: python3
# says: waits for any child
# mend: wait for the process that is meant
cat > parent.py <<'END'
import os, sys, time
def child(seconds, status):
    pid = os.fork()
    if pid == 0:
        time.sleep(seconds)
        os._exit(status)
    return pid
first = child(0.1, 0)
second = child(0.4, 3)
pid, status = os.waitpid(first if os.environ.get("FIXED") else -1, 0)
sys.exit(os.waitstatus_to_exitcode(status))
END
python3 -S parent.py
