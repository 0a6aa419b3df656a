# Two interactive shells of bash end: each appends to the history file, then shortens it to HISTFILESIZE by
# reading and rewriting it (launchpad-10809, bash 5.2).
# fixed: no limit, so that bash only appends
# needs: bash
# check: grep -q alpha history && grep -q beta history
# says: renames \S*/history, .*bash.* opens it
seq 1 8 | sed 's/^/old /' > history
mkfifo keys ready
if [ -n "$FIXED" ]; then size=-1; else size=6; fi
export HISTFILE="$PWD/history" HISTFILESIZE=$size
bash --norc --noprofile -i < keys > /dev/null 2>&1 &
exec 3> keys
echo 'echo beta > ready' >&3
read -r up < ready
printf ': alpha\nexit\n' | bash --norc --noprofile -i 3>&- > /dev/null 2>&1 &
(sleep 0.4; echo exit >&3) &
exec 3>&-
wait
