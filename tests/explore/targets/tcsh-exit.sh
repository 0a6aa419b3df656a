# Two shells of tcsh end with "savehist merge": each reads the history file, merges its own and puts the
# result in its place, without a lock (new-1, tcsh 6.24).
# fixed: savehist merge lock
# needs: tcsh
# check: grep -q alpha history && grep -q beta history
# says: renames \S*/history, .tcsh -i. opens it
mkdir home
mkfifo keys ready
echo 'echo zero' > history
[ -z "$FIXED" ] || lock=lock
echo "set histfile=$PWD/history history=20 savehist=(20 merge $lock)" > home/.tcshrc
export HOME="$PWD/home"
tcsh -i < keys > /dev/null 2>&1 &
exec 3> keys
echo 'echo beta > ready' >&3
read -r up < ready
printf 'echo alpha\nexit\n' | tcsh -i 3>&- > /dev/null 2>&1 &
(sleep 0.5; echo exit >&3) &
exec 3>&-
wait
