# A mv that unlinks its target first, as across file systems (debian-438076).
# fixed: a rename
# says: (?s)renames \S*/target, .cat target. opens it.*do not remove the old file first
echo old > target
cat > mv.py <<'END'
import os, sys
if len(sys.argv) > 1:
    os.unlink("target")
os.rename("new", "target")
END
echo new > new
if [ -n "$FIXED" ]; then python3 mv.py & else python3 mv.py unlink & fi
(sleep 0.3; cat target)
r=$?
wait
exit $r
