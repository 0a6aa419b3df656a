# ps | grep finds the name in the list of processes, or grep itself (redhat-54127).
# fixed: a pattern that does not match itself
# says: ps ax. reads process \d+, .grep -q windowmanager. executes
# mend: grep '\[x\]yz'
# line: ^second: probably line \d+ of ps-grep.sh: if ps ax
if [ -n "$FIXED" ]; then pattern='[w]indowmanager'; else pattern=windowmanager; fi
if ps ax | { sleep 0.2; grep -q $pattern; }; then
	echo "the window manager is running"
	exit 1
fi
exit 0
