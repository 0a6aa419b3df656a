# Two writers keep their own place in one file, and overwrite each other.
# fixed: appending
# needs: python3
# check: grep -q one out && grep -q two out
# says: writes to \S*/out, .*writes to it
: > out
cat > write.py <<'END'
import os, sys
flags = os.O_WRONLY | (os.O_APPEND if os.environ.get("FIXED") else 0)
f = os.open("out", flags)
if not os.environ.get("FIXED"):
    os.lseek(f, 0, os.SEEK_END)
os.write(f, (sys.argv[1] + "\n").encode())
END
python3 -S write.py one &
(sleep 0.3; python3 -S write.py two) &
wait
