# A shell that merges its history with the file when it ends (savehist merge): it reads, merges,
# truncates and writes.
# fixed: merged into a file of its own under a lock, then renamed
# needs: python3
# check: grep -q first history && grep -q second history
echo zero > history
cat > merge.py <<'END'
import fcntl, os, sys
lock = open("lock", "w")
if os.environ.get("FIXED"):
    fcntl.flock(lock, fcntl.LOCK_EX)
with open("history") as f:
    lines = f.read()
if sys.argv[1] not in lines:
    lines += sys.argv[1] + "\n"
with open("history", "w") as f:
    f.write(lines)
END
python3 -S merge.py first &
(sleep 0.3; python3 -S merge.py second) &
wait
